import { sql } from 'kysely'
import { digestSchema, type Notice } from '#core/contract/mail.ts'
import { gatherDigest, type ToldOfWebhook } from '#core/contract/gather-digest.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'

/** Minutes between two mails of one kind to one reader. Notices that come meanwhile wait for the next one, together. */
export const APART_MINUTES = 30

/** The kinds of mails that cover several webhooks together. */
export type DigestTemplate = Extract<Notice['template'], `endpoint_${string}`>

/** A notice about one webhook: its content, its reader, and the key under which it is sent once. */
export interface ToBeTold {
  readers: readonly string[]
  key: string
  told: ToldOfWebhook
}

/**
 * Puts notices about webhooks in the outbox, in one mail for each kind and reader. The mail is sent at once if the
 * reader has had none of the kind for a while; otherwise the notices join the waiting mail. Call it in the transaction
 * of their cause.
 */
export async function queueDigests(
  trx: Db,
  template: DigestTemplate,
  notices: readonly ToBeTold[],
): Promise<void> {
  if (notices.length === 0) return
  await lockDigests(trx, template)
  for (const reader of new Set(notices.flatMap(({ readers }) => readers))) {
    const his = notices.filter(({ readers }) => readers.includes(reader))
    await tell(trx, { template, reader }, his)
  }
}

/** Another process may be about to notify the same readers of other webhooks. */
async function lockDigests(trx: Db, template: DigestTemplate): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('digest'), hashtext(${template}))`.execute(trx)
}

async function tell(
  trx: Db,
  { template, reader }: { template: DigestTemplate; reader: string },
  notices: readonly ToBeTold[],
): Promise<void> {
  const { rows } = await sql<{ id: string; data: unknown }>`
    select id, data from mails
    where recipient_user_id = ${reader} and template = ${template} and next_try_at is not null
      and (tries = 0 or last_failure is not null)
    order by next_try_at limit 1 for update`.execute(trx)
  const [waiting] = rows
  const data = JSON.stringify(
    gatherDigest(
      waiting && readStored(digestSchema, waiting.data, 'a mail that waits'),
      notices.map(({ told }) => told),
    ),
  )
  if (waiting === undefined)
    await sql`
      insert into mails (recipient_user_id, template, notice_key, data, next_try_at)
      select ${reader}, ${template}, ${notices[0]?.key}, ${data}::jsonb,
        greatest(now(), max(coalesce(sent_at, next_try_at, created_at)) + make_interval(mins => ${APART_MINUTES}))
      from mails where recipient_user_id = ${reader} and template = ${template}
      on conflict do nothing`.execute(trx)
  else
    // A waiting mail that the mail server did not take counts as new, so that the new notice does not wait for hours.
    await sql`
      update mails set data = ${data}::jsonb, tries = 0,
        next_try_at = least(next_try_at, now() + make_interval(mins => ${APART_MINUTES}))
      where id = ${waiting.id}`.execute(trx)
}
