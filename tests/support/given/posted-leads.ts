import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { leadIngestSchema } from '#core/contract/leads/lead-ingest.ts'
import type { Db } from '#core/data/database.ts'
import type { LeadRow } from '#core/data/leads/receive-leads.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import { normaliseLead } from '#core/domain/leads/normalise-lead.ts'

/** A source, and its only key. */
export interface GivenSource {
  id: string
  keyId: string
  keyHash: Buffer
}

/** A source that hands every lead to this client. */
export async function givenSourceOf(db: Db, client: string): Promise<GivenSource> {
  const keyHash = randomBytes(32)
  const { id } = await insertSource(db, {
    name: 'Page',
    owner_user_id: client,
    auto_assign: true,
    api_key_hash: keyHash,
    api_key_prefix: 'lw_src_',
    created_by: client,
  })
  const { id: keyId } = await db
    .selectFrom('source_keys')
    .select('id')
    .where('source_id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, keyId, keyHash }
}

/** A lead as it is stored, each time with ids of its own. */
export function makeLeadRow(
  { id, keyId }: GivenSource,
  given: object,
  { idempotencyKey }: { idempotencyKey: string | null },
): LeadRow {
  const reading = normaliseLead(leadIngestSchema.parse(given), { custom: {}, utm: {} }, '2026-01-31')
  if (!reading.ok) throw new Error('the sample is not a lead')
  return {
    ...reading.lead,
    id: randomUUIDv7(),
    external_id: randomUUIDv7(),
    idempotency_key: idempotencyKey,
    ingest_fingerprint: null,
    user_id: null,
    source_id: id,
    source_key_id: keyId,
  }
}
