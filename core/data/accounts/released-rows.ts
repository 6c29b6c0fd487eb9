import { sql } from 'kysely'
import { CLOSED_DISPOSITIONS } from '#core/contract/leads/lead.ts'
import type { Db } from '../database.ts'

/** Locks the leads of a person of an account on which somebody still works, and returns their ids. */
export async function lockOpenLeads(trx: Db, account: string, member: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l
    where l.member_user_id = ${member} and (l.assigned_to = ${account} or l.user_id = ${account})
      and not exists (
        select from lead_assignments a where a.lead_id = l.id and a.state = 'active'
          and a.disposition = any(${[...CLOSED_DISPOSITIONS]}::text[]))
    order by l.id for no key update`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Switches the webhooks of a person of an account off, as the system does when an endpoint is gone. They stay that
 * person's, so that they get nothing if somebody switches them on.
 * @returns their ids
 */
export async function switchOffWebhooksOf(
  trx: Db,
  account: string,
  member: string,
  reason: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update client_webhook_configs
    set is_active = false, updated_at = now(), disabled_at = case when is_active then now() else disabled_at end,
      disabled_reason = case when is_active then ${reason} else disabled_reason end
    where id in (
      select id from client_webhook_configs where client_user_id = ${account} and member_user_id = ${member}
      order by id for no key update)
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Pauses the orders of a person of an account and makes them shared; the account resumes them. */
export async function pauseOrdersOf(trx: Db, account: string, member: string): Promise<void> {
  await sql`
    update orders set member_user_id = null, paused_by = coalesce(paused_by, 'client'), version = version + 1,
      also_paused_by_client = also_paused_by_client or coalesce(paused_by, 'client') <> 'client', updated_at = now()
    where id in (
      select id from orders where client_user_id = ${account} and member_user_id = ${member} and deleted_at is null
      order by id for no key update)`.execute(trx)
}
