/** Wrong usage: printed with the command's usage, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something stands in the way, and the message says what to do: printed alone, and the exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
