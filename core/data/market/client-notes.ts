import { sql } from 'kysely'
import type { ClientNote } from '#core/contract/market/client-page.ts'
import type { Db } from '../database.ts'
import { POSITION_FORMAT, type PagePosition } from '../page.ts'

/** Administrators' notes about a client, newest first, with one row more than `limit` if there are more. */
export async function listClientNotes(
  db: Db,
  client: string,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<ClientNote & { position: string }>> {
  return await readNotes(
    db,
    sql`n.client_user_id = ${client} and ${
      after === undefined
        ? sql`true`
        : sql`(n.created_at, n.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
    } order by n.created_at desc, n.id desc limit ${limit + 1}`,
  )
}

export async function findClientNote(db: Db, id: string): Promise<ClientNote | undefined> {
  const [note] = await readNotes(db, sql`n.id = ${id}`)
  if (note === undefined) return undefined
  const { position: _position, ...rest } = note
  return rest
}

export async function insertClientNote(
  db: Db,
  note: { id: string; client_user_id: string; author_user_id: string; text: string },
): Promise<void> {
  await db.insertInto('client_notes').values(note).execute()
}

/** Removes the notes about an erased account: they may name its people. */
export async function removeClientNotes(trx: Db, client: string): Promise<void> {
  await trx.deleteFrom('client_notes').where('client_user_id', '=', client).execute()
}

async function readNotes(db: Db, which: ReturnType<typeof sql>) {
  const { rows } = await sql<
    Omit<ClientNote, 'author' | 'created_at'> & {
      created_at: Date
      author_user_id: string | null
      author_name: string | null
      author_email: string | null
      position: string
    }
  >`
    select n.id, n.created_at, n.text, p.user_id as author_user_id, p.name as author_name, p.email::text as author_email,
      to_char(n.created_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)}) as position
    from client_notes n left join profiles p on p.user_id = n.author_user_id
    where ${which}`.execute(db)
  return rows.map(({ author_user_id: author, author_name, author_email, created_at, ...note }) => ({
    ...note,
    created_at: created_at.toISOString(),
    author: author === null ? null : { user_id: author, name: author_name ?? '', email: author_email ?? '' },
  }))
}
