import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { EventToEnqueue } from '../outbox/events.ts'

/** A lead as ingest writes it: column names of `leads`; what is absent takes its default. */
export type LeadRow = Readonly<Record<string, unknown>> & {
  id: string
  user_id: string | null
  source_id: string | null
  external_id: string | null
  idempotency_key: string | null
  /** SHA-256 in hex, with PostgreSQL's `\x` before it */
  ingest_fingerprint: string | null
}

/** Every column that ingest fills; jsonb_populate_recordset reads them by name, so one parameter carries a whole batch. */
const COLUMNS = sql.raw(
  `id, user_id, source_id, external_id, idempotency_key, ingest_fingerprint, status, is_test, name, first_name, last_name,
   email, phone, phone_raw, alt_phone, address1, address2, city, county, state, zip, country, timezone, date_of_birth, age,
   gender, tobacco, coverage_amount, beneficiary_name, best_time_to_call, language, comments, custom, lead_type, deal_size,
   consent_given, consent_text, consent_at, consent_url, consent_ip, consent_user_agent, trustedform_cert_url,
   trustedform_expires_at, jornaya_leadid, source, campaign, sub_id, landing_page_url, utm, cost`,
)

/**
 * Stores leads with their `lead.created` events in one statement, so each lead has its event or neither exists. A lead that
 * its source sent before (same external id or idempotency key) is left out, also within the batch.
 * @param autoAssign asks the assignment procedure for each new lead, in the same transaction
 * @returns the new leads' ids and events; after `autoAssign` only lead.created is among them
 */
export async function insertLeads(
  db: Db,
  leads: readonly LeadRow[],
  autoAssign: boolean,
): Promise<{ lead_id: string; event: EventToEnqueue }[]> {
  // One order of unique keys for everybody, so that two batches with the same leads wait for each other, never in a ring.
  const rows = leads.toSorted((a, b) => compare(sortKey(a), sortKey(b)))
  const result = await sql<{ lead_id: string; event_id: string; assignment?: unknown }>`
    with received as (
      insert into leads (${COLUMNS})
      select ${COLUMNS} from jsonb_populate_recordset(null::leads, ${JSON.stringify(rows)}::jsonb)
      on conflict do nothing
      returning id, user_id
    ), told as (
      insert into events (type, lead_id, client_user_id) select 'lead.created', id, user_id from received
      returning id, lead_id
    )
    select told.lead_id, told.id as event_id
      ${autoAssign ? sql`, assign_lead_to_buyer_concurrent(told.lead_id) as assignment` : sql``}
    from told
  `.execute(db)
  return result.rows.map(({ lead_id, event_id }) => ({
    lead_id,
    event: { id: event_id, type: 'lead.created' },
  }))
}

/** A lead that a source sent before. `fingerprint` is the SHA-256 of what it sent then. */
export interface EarlierLead {
  id: string
  external_id: string | null
  idempotency_key: string | null
  fingerprint: Buffer | null
}

/** Leads of a source by the ids and keys that it gave them, or by our own ids. */
export async function findEarlierLeads(
  db: Db,
  sourceId: string,
  externalIds: readonly string[],
  idempotencyKeys: readonly string[],
  ids: readonly string[],
): Promise<EarlierLead[]> {
  // Three index scans; an OR over the unique keys would read every lead of the source.
  const { rows } = await sql<EarlierLead>`
    select id, external_id, idempotency_key, ingest_fingerprint as fingerprint from leads
    where source_id = ${sourceId} and external_id = any(${[...externalIds]}::text[])
    union
    select id, external_id, idempotency_key, ingest_fingerprint from leads
    where source_id = ${sourceId} and idempotency_key = any(${[...idempotencyKeys]}::text[])
    union
    select id, external_id, idempotency_key, ingest_fingerprint from leads
    where source_id = ${sourceId} and id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows
}

function sortKey(lead: LeadRow): string {
  return lead.external_id ?? lead.idempotency_key ?? ''
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
