/** The exchange took longer than its limit, over an established connection. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ERR_DEADLINE'
}
