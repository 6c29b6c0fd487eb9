import { sql, type RawBuilder } from 'kysely'
import type { DataHeld } from '#core/contract/leads/data-subject.ts'
import type { Db } from '../database.ts'
import { containsPattern } from './lists/search-leads.ts'
import { namedClient } from '../accounts/named-client.ts'
import { eraseImportFiles } from '../files/erase-files.ts'

/** A phone number in E.164, or an e-mail address in lower case. */
export interface SubjectContact {
  kind: 'phone' | 'email'
  value: string
}

const SHOWN = 100

/**
 * SQL: the lead `l` has this phone or e-mail address. No index has both phones of every lead, so a search reads all
 * leads (half a second for a million); requests of persons are rare.
 */
function isOf({ kind, value }: SubjectContact): RawBuilder<unknown> {
  return kind === 'email' ? sql`l.email = ${value}` : sql`(l.phone = ${value} or l.alt_phone = ${value})`
}

/** SQL: the row `r` of an import, which became no lead, has it in a cell, however a phone is written. */
function isInRow(contact: SubjectContact): RawBuilder<unknown> {
  return sql`r.outcome is not null and ${isInCells(contact)}`
}

function isInCells({ kind, value }: SubjectContact): RawBuilder<unknown> {
  const isIn =
    kind === 'email'
      ? sql`cell ilike ${containsPattern(value)}`
      : sql`right(regexp_replace(cell, '\\D', '', 'g'), 10) = ${value.slice(-10)}`
  return sql`exists (
    select from jsonb_array_elements_text(r.cells::jsonb) as cell where ${isIn})`
}

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type Counts = Pick<DataHeld, 'lead_count' | 'messages' | 'import_rows' | 'accounts' | 'leads'>

/** Everything about a person with this contact, except the suppression list. */
export async function readDataHeld(db: Db, contact: SubjectContact): Promise<Counts> {
  const mail = contact.kind === 'email' ? contact.value : null
  const phone = contact.kind === 'phone' ? contact.value.replace('+', '') : null
  const { rows } = await sql<Counts>`
    with held as materialized (select l.* from leads l where ${isOf(contact)})
    select (select count(*)::int from held) as lead_count,
      coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'created_at', ${iso('l.created_at')}, 'lead_type', l.lead_type,
          'state', l.state, 'status', l.status, 'source_name', s.name, 'holder', ${namedClient(sql`l.assigned_to`)},
          'consent_given', l.consent_given, 'consent_at', ${iso('l.consent_at')}, 'consent_text', l.consent_text,
          'consent_url', l.consent_url, 'consent_ip', host(l.consent_ip), 'trustedform_cert_url', l.trustedform_cert_url,
          'jornaya_leadid', l.jornaya_leadid) order by l.id desc)
        from (select * from held order by id desc limit ${SHOWN}) l left join sources s on s.id = l.source_id), '[]') as leads,
      (select count(*)::int from contact_messages m where lower(m.email) = ${mail}) as messages,
      (select count(*)::int from lead_import_rows r where ${isInRow(contact)}) as import_rows,
      coalesce((select jsonb_agg(${namedClient(sql`u.id`)}) from auth.users u
        where u.deleted_at is null and (u.email = ${mail} or u.phone = ${phone})), '[]') as accounts`.execute(
    db,
  )
  return rows[0] ?? { lead_count: 0, messages: 0, import_rows: 0, accounts: [], leads: [] }
}

/** The ids of the leads of a person, in their order. */
export async function listLeadsOf(db: Db, contact: SubjectContact): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l where ${isOf(contact)} order by l.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Removes messages of the contact form, with the mails about them; rows of imports that became no lead; and files of
 * imports with such a row.
 * @returns `freed_bytes`: hashes of bytes that the caller removes from the file store after the commit
 */
export async function removeBeside(
  trx: Db,
  contact: SubjectContact,
): Promise<{ messages: number; import_rows: number; freed_bytes: string[] }> {
  const mail = contact.kind === 'email' ? contact.value : null
  const messages = await sql`delete from contact_messages m where lower(m.email) = ${mail}`.execute(trx)
  const freed = await eraseImportFiles(trx, isInCells(contact))
  const rows = await sql`delete from lead_import_rows r where ${isInRow(contact)}`.execute(trx)
  return {
    messages: Number(messages.numAffectedRows ?? 0n),
    import_rows: Number(rows.numAffectedRows ?? 0n),
    freed_bytes: freed,
  }
}

/** The messages and the imported rows of a person, for an export. */
export async function readBeside(
  db: Db,
  contact: SubjectContact,
): Promise<{ messages: unknown[]; import_rows: unknown[] }> {
  const mail = contact.kind === 'email' ? contact.value : null
  const { rows } = await sql<{ messages: unknown[]; import_rows: unknown[] }>`
    select coalesce((select jsonb_agg(jsonb_build_object('reference', m.reference, 'topic', m.topic, 'name', m.name,
        'email', m.email, 'message', m.message, 'created_at', ${iso('m.created_at')}) order by m.created_at)
      from contact_messages m where lower(m.email) = ${mail}), '[]') as messages,
      coalesce((select jsonb_agg(jsonb_build_object('import_id', r.import_id, 'row', r.row, 'cells', r.cells::jsonb))
        from lead_import_rows r where ${isInRow(contact)}), '[]') as import_rows`.execute(db)
  return rows[0] ?? { messages: [], import_rows: [] }
}

/** Every attempt to send a lead, with what is still stored of its request and answer, for an export. */
export async function readAttemptsOf(db: Db, leadId: string): Promise<unknown[]> {
  const { rows } = await sql<{ attempt: unknown }>`
    select jsonb_build_object('at', ${iso('g.created_at')}, 'client', ${namedClient(sql`g.client_user_id`)},
      'status', g.delivery_status, 'response_status', g.response_status, 'request_url', b.filled_url, 'request_body', b.request_body,
      'response_body', b.response_body) as attempt
    from webhook_delivery_logs g
    left join webhook_delivery_log_bodies b on b.created_at = g.created_at and b.id = g.id
    where g.lead_id = ${leadId} order by g.created_at, g.id`.execute(db)
  return rows.map(({ attempt }) => attempt)
}
