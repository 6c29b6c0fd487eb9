import { sql, type Kysely, type RawBuilder } from 'kysely'
import { digestSchema } from '#core/contract/mail.ts'
import { listDigest, refreshDigest } from '#core/contract/gather-digest.ts'
import type { Db } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { APART_MINUTES, type DigestTemplate } from '#core/data/outbox/digests.ts'
import type { ClaimedMail } from '#core/data/outbox/due-mails.ts'
import {
  describeEndpoint,
  describeFailing,
  describeSwitchedOff,
  ENDPOINT,
  OWNER,
  WAITING,
  type FailingEndpoint,
  type SwitchedOffEndpoint,
} from './describe-endpoints.ts'

interface Told {
  /** the kind as `webhook_endpoint_notices` names it */
  kind: string
  /**
   * SQL, on `client_webhook_configs c` and its `webhook_endpoint_health h`: the content of such a mail is still true
   */
  isSo: RawBuilder<unknown>
  describe: (row: FailingEndpoint & SwitchedOffEndpoint) => object
}

const IS_WARNED_OF = sql`(h.warned_at is not null and h.failing_since <= h.warned_at)`
const TOLD: ReadonlyMap<string, Told> = new Map<DigestTemplate, Told>([
  [
    'endpoint_failing',
    { kind: 'failing', isSo: sql`c.is_active and ${IS_WARNED_OF}`, describe: describeFailing },
  ],
  [
    'endpoint_recovered',
    {
      kind: 'recovered',
      isSo: sql`c.is_active and ${IS_WARNED_OF} is not true`,
      describe: describeEndpoint,
    },
  ],
  [
    'endpoint_switched_off',
    {
      kind: 'switched_off',
      isSo: sql`c.disabled_at is not null and not c.is_active`,
      describe: describeSwitchedOff,
    },
  ],
])

/**
 * Brings a mail about webhooks up to date just before it is sent. It takes out each webhook about which the mail is no
 * longer true, or that no longer concerns its reader. A mail that would follow another of its kind too soon is
 * postponed.
 * @returns the mail to send now, or undefined if there is none; a mail without content is removed
 */
export async function dropOutdatedNotices(db: Kysely<Database>, mail: ClaimedMail): Promise<unknown> {
  const told = TOLD.get(mail.template)
  const digest = digestSchema.safeParse(mail.data).data
  if (told === undefined || digest === undefined) return mail.data
  return await db.transaction().execute(async (trx) => {
    if (await isPutOff(trx, mail)) return undefined
    const ids = listDigest(digest).map(({ webhook_config_id }) => webhook_config_id)
    const { rows } = await sql<FailingEndpoint & SwitchedOffEndpoint>`
      select ${ENDPOINT}, ${WAITING}, c.disabled_at, c.disabled_reason, h.failing_since, h.failures_in_row, h.last_error_class, h.last_error_message
      from client_webhook_configs c ${OWNER} left join webhook_endpoint_health h on h.webhook_config_id = c.id
      where c.id = any(${ids}::uuid[]) and ${told.isSo} and (c.client_user_id = ${mail.recipient_id} or exists (
        select from profiles where user_id = ${mail.recipient_id} and role = 'admin' and status = 'active'))`.execute(
      trx,
    )
    const now = new Map(rows.map((row) => [row.webhook_config_id, told.describe(row)]))
    await noteTold(trx, { mail, kind: told.kind, ids, so: [...now.keys()] })
    const left = refreshDigest(digest, now)
    if (left === undefined) await sql`delete from mails where id = ${mail.id}`.execute(trx)
    else await sql`update mails set data = ${JSON.stringify(left)}::jsonb where id = ${mail.id}`.execute(trx)
    return left
  })
}

async function isPutOff(trx: Db, mail: ClaimedMail): Promise<boolean> {
  const { rows } = await sql`
    update mails m set tries = 0, next_try_at = last.sent_at + make_interval(mins => ${APART_MINUTES})
    from (select max(sent_at) as sent_at from mails
      where recipient_user_id = ${mail.recipient_id} and template = ${mail.template}) last
    where m.id = ${mail.id} and last.sent_at > now() - make_interval(mins => ${APART_MINUTES})
    returning m.id`.execute(trx)
  return rows.length > 0
}

/**
 * Notes which notices the owner gets: the latest counts as mailed now, and those left out as not mailed. Rows are
 * locked in the order of a webhook's deletion, and before the mail, which is last because it is deleted with its
 * reader.
 */
async function noteTold(
  trx: Db,
  { mail, kind, ids, so }: { mail: ClaimedMail; kind: string; ids: readonly string[]; so: readonly string[] },
): Promise<void> {
  await sql`
    with known as materialized (
      select n.id, n.webhook_config_id, n.created_at, n.webhook_config_id = any(${[...so]}::uuid[]) as is_so
      from webhook_endpoint_notices n join client_webhook_configs c on c.id = n.webhook_config_id
      where n.webhook_config_id = any(${[...ids]}::uuid[]) and n.kind = ${kind} and c.client_user_id = ${mail.recipient_id}
      order by n.webhook_config_id, n.created_at for update of n
    )
    update webhook_endpoint_notices n set mailed = k.is_so, created_at = case when k.is_so then now() else n.created_at end
    from known k
    where n.id = k.id and (not k.is_so or k.created_at = (
      select max(latest.created_at) from known latest where latest.webhook_config_id = k.webhook_config_id))`.execute(
    trx,
  )
}
