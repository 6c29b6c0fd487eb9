import { sql } from 'kysely'
import type { MailedLead } from '#core/contract/market/client-notice.ts'
import type { Db } from '../../database.ts'

/** A client who chose mails about new leads, and whose next one may be made. */
export interface AwaitsLeads {
  user_id: string
  with_contacts: boolean
  zone: string
  quiet_hours: unknown
}

/**
 * Clients who chose mails about new leads and had none of them for a while.
 * @param seconds shortest time between two of these mails to one client
 */
export async function listAwaitingLeads(db: Db, seconds: number): Promise<AwaitsLeads[]> {
  const { rows } = await sql<AwaitsLeads>`
    select c.user_id, c.notices @> '{"lead_contacts": true}' as with_contacts, c.timezone as zone, c.quiet_hours
    from client_accounts c join profiles p on p.user_id = c.user_id and p.status = 'active'
    where c.notices @> '{"new_leads": true}' and not exists (
      select from mails m where m.recipient_user_id = c.user_id and m.template = 'new_leads'
        and m.created_at > now() - make_interval(secs => ${seconds}))`.execute(db)
  return rows
}

/**
 * Marks a client's unread leads of which it was not told yet, and returns their ids, newest first. Test leads are left
 * out. Two workers never return the same lead.
 * @param oldest a lead's id (version 7): leads received before it are not told
 */
export async function takeUntoldLeads(trx: Db, client: string, oldest: string): Promise<string[]> {
  const { rows } = await sql<{ lead_id: string }>`
    insert into told_leads (assignment_id, lead_id, client_user_id)
    select a.id, a.lead_id, a.client_user_id from lead_assignments a
    where a.client_user_id = ${client} and a.state = 'active' and a.first_viewed_at is null and a.lead_id >= ${oldest}
      and not exists (select from told_leads t where t.assignment_id = a.id)
      and exists (select from leads l where l.id = a.lead_id and not l.is_test)
    on conflict do nothing returning lead_id`.execute(trx)
  return rows.map((row) => row.lead_id).toSorted((a, b) => (a < b ? 1 : -1))
}

/**
 * Those of the leads that the client still has and may contact, newest first. Their personal data is read only when a
 * mail is sent.
 */
export async function readMailedLeads(db: Db, client: string, ids: readonly string[]): Promise<MailedLead[]> {
  const { rows } = await sql<MailedLead>`
    select l.id, l.name, l.phone, l.email, l.state, coalesce(t.label, l.lead_type) as type
    from leads l left join lead_types t on t.code = l.lead_type
    where l.id = any(${[...ids]}::uuid[]) and exists (
      select from lead_assignments a where a.lead_id = l.id and a.client_user_id = ${client} and a.state = 'active')
      and not exists (
        select from revocation_holders told where told.lead_id = l.id and told.client_user_id = ${client})
    order by l.id desc`.execute(db)
  return rows
}

/** Forgets leads that were told before this moment; by then none of them is looked for any more. */
export async function removeToldLeads(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('told_leads')
    .where('told_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
