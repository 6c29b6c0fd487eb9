import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Number of bytes read at a time. */
const PIECE = 256 * 1024

/**
 * Stores the next bytes of a file; after the last of them the file is ready to be read.
 * @param at number of bytes that came before
 * @returns false if these are not the next, or more than there should be
 */
export async function appendPart(db: Db, id: string, at: number, bytes: Buffer): Promise<boolean> {
  const pieces: Buffer[] = []
  for (let from = 0; from < bytes.length; from += PIECE) pieces.push(bytes.subarray(from, from + PIECE))
  const result = await sql`
    with taken as (
      update lead_imports set received = received + ${bytes.length}::int, touched_at = now(),
        state = case when received + ${bytes.length}::int = size then 'reading' else state end
      where id = ${id} and state = 'uploading' and received = ${at}::int and ${at}::int + ${bytes.length}::int <= size
      returning id
    )
    insert into lead_import_parts (import_id, at, bytes)
    select taken.id, ${at}::int + (number - 1)::int * ${PIECE}::int, piece
    from taken cross join unnest(${pieces}::bytea[]) with ordinality as given (piece, number)`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

/** Reads the bytes of a file in their order, never the whole file into memory. */
export async function* readParts(db: Db, id: string): AsyncGenerator<Buffer> {
  for (let at = 0; ;) {
    const part = await db
      .selectFrom('lead_import_parts')
      .select('bytes')
      .where('import_id', '=', id)
      .where('at', '=', at)
      .executeTakeFirst()
    if (part === undefined) return
    yield part.bytes
    at += part.bytes.length
  }
}
