/**
 * Stands for a line of a batch that could not be read: only its lead is refused. It is no Error, because its stack is
 * of no use.
 */
export class UnreadableLine {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}
