import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Notes that a configuration is about to become another person's, so that the person who has it loses it. */
export async function noteGivenWebhook(
  trx: Db,
  { client, webhook_config_id: id }: { client: string; webhook_config_id: string },
  member: string | null,
): Promise<void> {
  await sql`
    insert into lost_webhooks (webhook_config_id, client_user_id, member_user_id, is_deleted)
    select id, client_user_id, member_user_id, false from client_webhook_configs
    where id = ${id} and client_user_id = ${client} and member_user_id is not null
      and member_user_id is distinct from ${member}::uuid`.execute(trx)
}

/** Removes old notes: a server reads them within seconds. */
export async function removeLostWebhooks(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`delete from lost_webhooks where lost_at < ${before} returning 1 as gone`.execute(
    db,
  )
  return rows.length
}

/** Removes the notes about an account's configurations, which nobody may hear of any more. */
export async function removeLostWebhooksOf(db: Db, account: string): Promise<void> {
  await db.deleteFrom('lost_webhooks').where('client_user_id', '=', account).execute()
}
