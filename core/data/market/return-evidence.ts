import { sql, type RawBuilder } from 'kysely'
import { EVIDENCE_BUCKET } from '#core/contract/market/return-evidence.ts'
import type { Db } from '../database.ts'

/** Characters that are not seen, or that turn the direction of a text. */
const UNSEEN = '[[:cntrl:]\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069]'

/** SQL: what the client calls the file `f`, else the last part of its name in the bucket. */
export const FILE_NAME = sql`coalesce(nullif(btrim(left(regexp_replace(f.metadata->>'file_name', ${sql.lit(UNSEEN)}, '', 'g'), 200)), ''),
  regexp_replace(f.name, '^.*/', ''))`

/** SQL: the files of a return as a JSON array, in the order in which they were stored. */
export function evidenceOf(returnId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', f.id, 'file_name', ${FILE_NAME},
      'content_type', f.content_type, 'size', f.size) order by f.created_at, f.id)
    from stored_files f where f.return_id = ${returnId}), '[]')`
}

/**
 * Sends stored files with a return, in the transaction that requests it. They no longer expire, and their owner can no
 * longer change them. Files of others, of another lead, or sent with another return are as if they did not exist.
 * @returns how many of them there are
 */
export async function sendEvidence(
  trx: Db,
  asked: { return_id: string; lead_id: string; client: string },
  ids: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update stored_files set return_id = ${asked.return_id}, expires_at = null
    where id = any(${[...ids]}::uuid[]) and bucket_id = ${EVIDENCE_BUCKET} and account_id = ${asked.client}
      and lead_id = ${asked.lead_id} and return_id is null and coalesce(expires_at, 'infinity') > now()`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0n)
}

/** A lead that a client has now, and whether its person was erased; undefined if the client does not have it. */
export async function findLeadOf(
  db: Db,
  client: string,
  leadId: string,
): Promise<{ is_erased: boolean } | undefined> {
  const found = await db
    .selectFrom('leads')
    .select('redacted_at')
    .where('id', '=', leadId)
    .where('assigned_to', '=', client)
    .executeTakeFirst()
  return found && { is_erased: found.redacted_at !== null }
}
