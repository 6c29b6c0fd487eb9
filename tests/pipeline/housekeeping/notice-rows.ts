import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** SQL condition: a mail is about this configuration, alone or with others. */
export const tellsOf = (configId: string) => sql<boolean>`(
  data ->> 'webhook_config_id' = ${configId}
    or data -> 'others' @> jsonb_build_array(jsonb_build_object('webhook_config_id', ${configId}::text)))`

/** Returns the mails about this configuration, as `template → recipients`. */
export async function mailsOf(db: Kysely<Database>, configId: string): Promise<Record<string, string[]>> {
  const rows = await db
    .selectFrom('mails')
    .select(['template', 'recipient_user_id'])
    .where(tellsOf(configId))
    .orderBy('recipient_user_id')
    .execute()
  const mails: Record<string, string[]> = {}
  for (const { template, recipient_user_id } of rows)
    (mails[template] ??= []).push(recipient_user_id ?? 'nobody')
  return mails
}

/** Waits until the worker has queued a mail of this template about the configuration. */
export async function waitForMails(db: Kysely<Database>, configId: string, template: string): Promise<void> {
  await waitUntil(async () => (await mailsOf(db, configId))[template] !== undefined, {
    what: `the notice ${template}`,
    timeoutMs: 30_000,
  })
}

/** Ages the waiting mails about this configuration, so that the worker sends or drops them. */
export async function sendNow(db: Kysely<Database>, configId: string): Promise<void> {
  const { rows: before } = await sql<{ id: string }>`
    update mails set sent_at = sent_at - interval '1 hour' where sent_at is not null returning id`.execute(db)
  const waiting = () =>
    sql`update mails set next_try_at = least(next_try_at, now())
      where sent_at is null and ${tellsOf(configId)} returning id`.execute(db)
  await waitUntil(async () => (await waiting()).rows.length === 0, { what: 'mails being sent' })
  await sql`
    update mails set sent_at = sent_at + interval '1 hour'
    where id = any(${before.map(({ id }) => id)}::uuid[])`.execute(db)
}

/**
 * Inserts the health of an endpoint that fails, in one transaction, because the running worker judges
 * whatever it sees.
 */
export async function givenHealth(
  db: Kysely<Database>,
  configId: string,
  fields: { failures: number; failingHours: number; failedHoursAgo: readonly number[]; errorClass?: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('webhook_endpoint_health')
      .values({
        webhook_config_id: configId,
        failures_in_row: fields.failures,
        failing_since: sql<Date>`now() - make_interval(hours => ${fields.failingHours})`,
        last_attempt_at: sql<Date>`now()`,
        last_error_class: fields.errorClass ?? 'http_5xx',
        last_error_message: '503: your endpoint is not available right now.',
      })
      .execute()
    for (const hours of fields.failedHoursAgo) {
      await sql`
        insert into webhook_endpoint_hours (webhook_config_id, hour, failed, latency)
        values (${configId}, date_trunc('hour', now()) - make_interval(hours => ${hours}), 5, '{}')
      `.execute(trx)
    }
  })
}

/** Returns whether the configuration is on, and why not. */
export async function configOf(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('client_webhook_configs')
    .select(['is_active', 'disabled_reason', 'disabled_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Counts the rows about the configuration. */
export async function countRows(
  db: Kysely<Database>,
  configId: string,
  table: 'webhook_endpoint_hours' | 'webhook_endpoint_notices',
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('webhook_config_id', '=', configId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
