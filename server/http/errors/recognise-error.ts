import { isDatabaseAway } from '#core/data/is-database-away.ts'
import { isDatabaseBusy } from '../database/is-database-busy.ts'
import { isPoolBusy } from '../database/is-pool-busy.ts'
import { BodyError } from '../body/receive-bytes.ts'

/**
 * Faults that any request may have, in any API. `too_many_bodies`: other requests of the caller use up its
 * share of the memory. `unreadable_body`: it was cut short, has a wrong length or is not compressed as
 * declared. `bad_path`: it has escapes that are no UTF-8. `server_busy`: no database connection of this
 * process was free in time, though the database may be well. `unstorable_text`: PostgreSQL cannot store the
 * text. `unknown`: a fault of ours.
 */
export type KnownError =
  | 'body_too_large'
  | 'too_many_bodies'
  | 'unsupported_encoding'
  | 'unreadable_body'
  | 'bad_path'
  | 'database_away'
  | 'database_busy'
  | 'server_busy'
  | 'unstorable_text'
  | 'unknown'

/** Seconds after which a client may try again while the database is away or busy. */
export const RETRY_AFTER_SECONDS = 2
/**
 * Seconds if the server itself is busy: as long as this request has waited. A client that comes sooner waits
 * behind earlier ones.
 */
export const BUSY_RETRY_AFTER_SECONDS = 5
export const TOO_MANY_BODIES =
  'Too much of what you send is still on its way or waits for its answer. Nothing of this request was done.'
export const SERVER_BUSY = `The server is busy: too many requests wait for its database. Please try again in ${BUSY_RETRY_AFTER_SECONDS} seconds.`

/**
 * NUL in text, NUL in jsonb, and an invalid value of a type: half a surrogate pair in jsonb. Ids and numbers
 * are parsed before any query, so the last is about text too.
 */
const UNSTORABLE = new Set<unknown>(['22021', '22P05', '22P02'])

/**
 * THE answer to "what was thrown?". Each API answers it in its own form, and recognises its own typed errors
 * first.
 */
export function recogniseError(error: unknown): KnownError {
  if (error instanceof BodyError) return error.fault
  const { code, type, status, expose } = shapeOf(error)
  // Refusals of Express' own middleware.
  if (typeof status === 'number' && status < 500 && (typeof type === 'string' || expose === true))
    return 'unreadable_body'
  // Thrown by the router; one of our own would be a fault.
  if (error instanceof URIError && status === 400) return 'bad_path'
  if (isDatabaseAway(error)) return 'database_away'
  if (isDatabaseBusy(error)) return 'database_busy'
  if (isPoolBusy(error)) return 'server_busy'
  return UNSTORABLE.has(code) ? 'unstorable_text' : 'unknown'
}

function shapeOf(error: unknown): { code?: unknown; type?: unknown; status?: unknown; expose?: unknown } {
  return typeof error === 'object' && error !== null ? error : {}
}
