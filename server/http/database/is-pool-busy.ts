/**
 * Whether all connections of this process stayed in use for as long as a request waits for one (core/data/database.ts).
 * Nothing was begun, and the database may be well. The message is pg-pool's; a connection that could not be made has
 * another.
 */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
