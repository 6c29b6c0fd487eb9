import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { noteGivenWebhook } from '../realtime/lost-webhooks.ts'
import { cancelAllDeliveries } from './deliveries/cancel-deliveries.ts'

/**
 * Makes a configuration one person's, or shared, and cancels what waits there for leads of others. A planner locks the
 * configuration less strongly than an ordinary change does, so this lock is stronger: a planner that has begun is
 * waited for, and a later one reads the new person.
 * @param by who changes it
 */
export async function setWebhookMember(
  trx: Db,
  which: { client: string; webhook_config_id: string },
  member: string | null,
  by: string,
): Promise<void> {
  const { client, webhook_config_id: id } = which
  await sql`select from client_webhook_configs where id = ${id} and client_user_id = ${client} for update`.execute(
    trx,
  )
  await noteGivenWebhook(trx, which, member)
  await sql`
    update client_webhook_configs set member_user_id = ${member}, updated_at = now()
    where id = ${id} and client_user_id = ${client}`.execute(trx)
  await cancelAllDeliveries(trx, client, by, { of_others: { webhook_config_id: id } })
}
