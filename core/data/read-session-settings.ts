import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'

/** The server and the settings of a session, as PostgreSQL reports them. */
export interface Session {
  /** as `server_version_num`: 150004 */
  version: number
  encoding: string
  /** as SQL writes their names */
  role: string
  database: string
  /** as PostgreSQL shows them; null if this version does not know the setting */
  settings: Readonly<Record<string, string | null>>
}

/** Reads the settings of these names, which need no migrated database. */
export async function readSessionSettings(db: Db, names: readonly string[]): Promise<Session> {
  const { rows } = await sql<Session>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      quote_ident(session_user) as role, quote_ident(current_database()) as database,
      (select jsonb_object_agg(name, current_setting(name, true)) from unnest(${[...names]}::text[]) as name) as settings
  `.execute(db)
  const [session] = rows
  if (session === undefined) throw new Error('PostgreSQL did not say what its session is like')
  return session
}

/** PostgreSQL's code for a setting that it does not know. */
const UNDEFINED_OBJECT = '42704'

/**
 * Whether an error refused the session for its settings.
 * @returns which of two: a pooler that takes none at start-up, or a version that does not know one
 */
export function readRefusal(error: unknown): 'start-up' | 'unknown' | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  if (error.message.includes('unsupported startup parameter')) return 'start-up'
  return error.code === UNDEFINED_OBJECT ? 'unknown' : undefined
}
