/** Stands where a line of a batch could not be read: its lead is refused, and none beside it. No Error: nobody wants its stack. */
export class UnreadableLine {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}
