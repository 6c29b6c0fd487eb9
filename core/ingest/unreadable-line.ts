/** Stands where a line of a batch could not be read: its lead is refused, and none beside it. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine'
}
