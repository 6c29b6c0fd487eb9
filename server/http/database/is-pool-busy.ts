/**
 * All connections of this process were in use for as long as one is waited for (core/data/database.ts). Nothing was begun, and of the
 * database it says nothing. It is pg-pool's word; a connection that could not be made has another.
 */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
