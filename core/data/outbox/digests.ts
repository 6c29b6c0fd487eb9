import { sql, type Kysely, type RawBuilder } from 'kysely'
import { digestSchema, type Notice } from '#core/contract/mail.ts'
import { gatherDigest, keepWebhooks, listDigest, type ToldOfWebhook } from '#core/contract/gather-digest.ts'
import { readStored } from '#core/read-stored.ts'
import type { Db } from '../database.ts'
import type { Database } from '../schema/tables.ts'
import type { ClaimedMail } from './due-mails.ts'

/** Minutes between two mails of one kind to one reader. What is to be told meanwhile waits for the next one, together. */
const APART_MINUTES = 30

/** The kinds of mails that tell of several webhooks together. */
export type DigestTemplate = Extract<Notice['template'], `endpoint_${string}`>

const IS_WARNED_OF = sql`(h.warned_at is not null and h.failing_since <= h.warned_at)`
/** SQL, of `client_webhook_configs c` and its `webhook_endpoint_health h`: what such a mail tells is so. */
const IS_SO: ReadonlyMap<string, RawBuilder<unknown>> = new Map<DigestTemplate, RawBuilder<unknown>>([
  ['endpoint_failing', sql`c.is_active and ${IS_WARNED_OF}`],
  ['endpoint_recovered', sql`c.is_active and ${IS_WARNED_OF} is not true`],
  ['endpoint_switched_off', sql`c.disabled_at is not null and not c.is_active`],
])

/** A notice about one webhook: its content, its reader, and the key under which it is sent once. */
export interface ToBeTold {
  readers: readonly string[]
  key: string
  told: ToldOfWebhook
}

/**
 * Tells of webhooks, in one mail for each kind and reader: at once where he has had none of the kind lately, else with the one that
 * waits. Call it in the transaction of what the mails tell.
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

/**
 * Takes out of a mail, just before it is sent, the webhooks of which it tells what is no longer so, and notes what their owner has been told
 * instead: a warning that he does not get counts as not mailed, and one that is not taken back as his warning of the new spell.
 * @returns what is to be sent, or undefined where nothing is left to tell: the mail is gone then
 */
export async function keepWhatIsSo(db: Kysely<Database>, mail: ClaimedMail): Promise<unknown> {
  const isSo = IS_SO.get(mail.template)
  const digest = digestSchema.safeParse(mail.data).data
  if (isSo === undefined || digest === undefined) return mail.data
  return await db.transaction().execute(async (trx) => {
    const ids = listDigest(digest).map(({ webhook_config_id }) => webhook_config_id)
    const { rows } = await sql<{ id: string }>`
      select c.id from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
      where c.id = any(${ids}::uuid[]) and ${isSo}`.execute(trx)
    const so = new Set(rows.map(({ id }) => id))
    if (ids.every((id) => so.has(id))) return mail.data
    const left = keepWebhooks(digest, so)
    if (left === undefined) await sql`delete from mails where id = ${mail.id}`.execute(trx)
    else await sql`update mails set data = ${JSON.stringify(left)}::jsonb where id = ${mail.id}`.execute(trx)
    await noteUntold(
      trx,
      mail,
      ids.filter((id) => !so.has(id)),
    )
    return left
  })
}

async function noteUntold(trx: Db, mail: ClaimedMail, ids: readonly string[]): Promise<void> {
  const wasWarned = mail.template === 'endpoint_recovered'
  await sql`
    update webhook_endpoint_notices n set mailed = ${wasWarned}
    from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
    where n.webhook_config_id = any(${[...ids]}::uuid[]) and n.kind = 'failing' and c.id = n.webhook_config_id
      and c.client_user_id = ${mail.recipient_id} and (not ${wasWarned} or n.spell_at = h.failing_since)`.execute(
    trx,
  )
}

/** Another process may be about to tell the same readers of other webhooks. */
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
    where recipient_user_id = ${reader} and template = ${template} and tries = 0 and next_try_at > now()
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
  else await sql`update mails set data = ${data}::jsonb where id = ${waiting.id}`.execute(trx)
}
