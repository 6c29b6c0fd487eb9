import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { LeadRow } from './receive-leads.ts'
import { liveSource } from './sources/sources.ts'

/**
 * The reason why a lead was not stored. `fingerprint` is the SHA-256 of the earlier request; `by` names the key that
 * they have in common.
 */
export interface EarlierLead {
  posted_id: string
  /** null if there is no such lead */
  lead_id: string | null
  by: 'id' | 'idempotency_key' | 'external_id' | null
  fingerprint: Buffer | null
  is_test: boolean | null
}

/**
 * Finds the stored leads that have the same ids and keys as these leads from sources. It does not return a lead whose
 * source or key was revoked, or whose client is suspended.
 */
export async function findEarlierLeads(
  db: Db,
  leads: readonly Pick<LeadRow, 'id' | 'source_id' | 'source_key_id' | 'external_id' | 'idempotency_key'>[],
): Promise<EarlierLead[]> {
  // Three index scans for each lead; an OR over the unique keys would read every lead of the source.
  const { rows } = await sql<EarlierLead>`
    select posted.id as posted_id, earlier.id as lead_id, earlier.by, earlier.ingest_fingerprint as fingerprint, earlier.is_test
    from unnest(${leads.map(({ id }) => id)}::uuid[], ${leads.map((lead) => lead.source_id)}::uuid[],
      ${leads.map((lead) => lead.external_id)}::text[], ${leads.map((lead) => lead.idempotency_key)}::text[],
      ${leads.map((lead) => lead.source_key_id ?? null)}::uuid[])
      as posted (id, source_id, external_id, idempotency_key, key_id)
    cross join lateral ${liveSource('posted', sql`posted.key_id`)} s
    left join lateral (
      select id, ingest_fingerprint, is_test, 'id' as by, 1 as rank from leads where id = posted.id
      union all
      select id, ingest_fingerprint, is_test, 'idempotency_key', 2 from leads
      where source_id = posted.source_id and idempotency_key = posted.idempotency_key
      union all
      select id, ingest_fingerprint, is_test, 'external_id', 3 from leads
      where source_id = posted.source_id and external_id = posted.external_id
      order by rank limit 1
    ) earlier on true
  `.execute(db)
  return rows
}
