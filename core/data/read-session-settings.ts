import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The server and the settings of a session, as PostgreSQL reports them. */
export interface Session {
  /** as `server_version_num`: 150004 */
  version: number
  encoding: string
  /** as PostgreSQL shows them; null if this version does not know the setting */
  settings: Readonly<Record<string, string | null>>
}

/** Reads the settings of these names, which need no migrated database. */
export async function readSessionSettings(db: Db, names: readonly string[]): Promise<Session> {
  const { rows } = await sql<Session>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      (select jsonb_object_agg(name, current_setting(name, true)) from unnest(${[...names]}::text[]) as name) as settings
  `.execute(db)
  const [session] = rows
  if (session === undefined) throw new Error('PostgreSQL did not say what its session is like')
  return session
}
