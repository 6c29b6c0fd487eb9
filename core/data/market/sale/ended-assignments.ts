import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * SQL: this client had the lead and gave it back, or it was taken away: the client may neither see nor receive its
 * personal data. That holds for good, because no client gets a lead again that it had (`had_by` of an offered lead).
 */
export function hasEnded(leadId: RawBuilder<unknown>, client: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from lead_assignments ended
    where ended.lead_id = ${leadId} and ended.client_user_id = ${client} and ended.state <> 'active')`
}

/**
 * SQL on a delivery `d`: it would tell an endpoint of a lead whose person revoked the consent. Deliveries of events beside
 * the lead name no lead here.
 */
export const IS_REVOKED = sql<boolean>`exists (
  select from revocation_holders told where told.lead_id = d.lead_id and told.client_user_id = d.client_user_id)`

/** Whether the client was told that the person of the lead revoked consent: the lead is not sent to it again. */
export async function isRevokedFor(
  db: Db,
  { lead_id, client_user_id }: { lead_id: string | null; client_user_id: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from (select ${lead_id}::uuid as lead_id, ${client_user_id}::uuid as client_user_id) d where ${IS_REVOKED}`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * SQL: the configuration belongs to one person of the account, and the lead to another, or to nobody in particular: the
 * lead may not be sent there. The caller holds a lock of the lead or of the configuration.
 */
export function isOfAnother(leadId: RawBuilder<unknown>, configId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from client_webhook_configs theirs join leads given on given.id = ${leadId}
    where theirs.id = ${configId} and theirs.member_user_id is not null
      and given.member_user_id is distinct from theirs.member_user_id)`
}

/** The same of one lead and one configuration, under a lock. */
export async function isKeptFromWebhook(
  trx: Db,
  { lead_id, webhook_config_id }: { lead_id: string; webhook_config_id: string },
): Promise<boolean> {
  const { rows } =
    await sql`select where ${isOfAnother(sql`${lead_id}::uuid`, sql`${webhook_config_id}::uuid`)}`.execute(
      trx,
    )
  return rows.length > 0
}
