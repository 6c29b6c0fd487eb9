import { sql } from 'kysely'
import type { MailData } from '#core/contract/mail.ts'
import type { EndpointRule } from '#core/domain/webhooks/endpoint-rule.ts'
import { listAdministrators } from '#core/data/accounts/list-administrators.ts'
import type { Db } from '#core/data/database.ts'
import { queueDigests, type DigestTemplate } from '#core/data/outbox/digests.ts'
import { writeClientEvents, type ClientEventToWrite } from '#core/data/outbox/write-client-events.ts'
import {
  describeDisabledEvent,
  describeEndpoint,
  describeFailing,
  describeFailingEvent,
  describeSwitchedOff,
  ENDPOINT,
  OWNER,
  REFUSED,
  WAITING,
  type FailingEndpoint,
  type NamedEndpoint,
  type SwitchedOffEndpoint,
} from './describe-endpoints.ts'

/** A notice about an endpoint, once for each spell of failures. */
export interface EndpointNotice {
  webhook_config_id: string
  kind: 'failing' | 'recovered' | 'switched_off'
}

/**
 * Switches off endpoints that have failed for days without one success (core/domain/webhooks/endpoint-rule.ts gives the
 * rule). {@link announceSwitchedOff} sends the notices, also for endpoints that said they are gone.
 * @returns how many
 */
export async function switchOffFailing(db: Db, rule: EndpointRule): Promise<number> {
  const { rows } = await sql`
    with due as (
      select c.id, h.last_error_message
      from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      where c.is_active and h.failures_in_row >= ${rule.warnAfterFailures}
        and h.last_error_class is distinct from ${REFUSED}
        and h.failing_since <= now() - make_interval(days => ${rule.switchOffAfterDays})
        and ${rule.switchOffFailedDays} <= (
          select count(distinct floor(extract(epoch from now() - o.hour) / 86400)) from webhook_endpoint_hours o
          where o.webhook_config_id = c.id and o.failed > 0
            and o.hour > now() - make_interval(days => ${rule.switchOffAfterDays}))
      order by c.id for update of c skip locked
    )
    update client_webhook_configs c
    set is_active = false, disabled_at = now(), updated_at = now(),
      disabled_reason = concat_ws(' ', 'No attempt has succeeded for ' || ${rule.switchOffAfterDays}::int || ' days.',
        'The last failure: ' || due.last_error_message)
    from due where c.id = due.id
    returning c.id
  `.execute(db)
  return rows.length
}

/** SQL, on `webhook_endpoint_health h`: a warning was mailed in the last hours, so the next one has to wait. */
const warnedLately = (rule: EndpointRule) => sql<boolean>`exists (
  select from webhook_endpoint_notices n where n.webhook_config_id = h.webhook_config_id and n.kind = 'failing'
    and n.mailed and n.created_at > now() - make_interval(hours => ${rule.warnAgainHours}))`

/** SQL, on `webhook_endpoint_health h`: its last warning had to wait, and need not wait any longer. */
export const hasWaited = (rule: EndpointRule) => sql<boolean>`((
  select not n.mailed from webhook_endpoint_notices n where n.webhook_config_id = h.webhook_config_id and n.kind = 'failing'
  order by n.created_at desc limit 1) and not ${warnedLately(rule)})`

/**
 * Warns once for each spell of failures of configurations that are on; by mail as soon as the last mail about it is old
 * enough. A notice refers to its configuration, so a configuration that is being deleted, or judged by another worker,
 * is passed over.
 */
export async function announceFailing(trx: Db, rule: EndpointRule): Promise<EndpointNotice[]> {
  const { rows } = await sql<Found & FailingEndpoint>`
    with failing as (
      select h.webhook_config_id, h.failing_since, h.failures_in_row, h.last_error_class, h.last_error_message, not ${warnedLately(rule)} as mailed
      from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      where h.failures_in_row >= ${rule.warnAfterFailures} and c.is_active and (h.warned_at is null or ${hasWaited(rule)})
      order by h.webhook_config_id for key share of c skip locked for update of h skip locked
    ), warned as (
      update webhook_endpoint_health h set warned_at = now()
      from failing f where h.webhook_config_id = f.webhook_config_id
    )
    select ${ENDPOINT}, f.failing_since::text as spell, f.failing_since, f.failures_in_row, f.last_error_class, f.last_error_message, f.mailed, ${WAITING}
    from failing f join client_webhook_configs c on c.id = f.webhook_config_id ${OWNER} order by c.id
  `.execute(trx)
  return await announce(
    trx,
    { kind: 'failing', template: 'endpoint_failing', eventOf: describeFailingEvent },
    rows,
    describeFailing,
  )
}

/** Takes warnings back after the first success; by mail only if a warning was mailed since the last such mail. */
export async function announceRecovered(trx: Db): Promise<EndpointNotice[]> {
  const { rows } = await sql<Found & { spell_at: Date; recovered_at: Date }>`
    with recovered as (
      select h.webhook_config_id, h.last_success_at
      from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      where h.warned_at is not null and coalesce(h.failing_since > h.warned_at, true)
      order by h.webhook_config_id for key share of c skip locked for update of h skip locked
    ), cleared as (
      update webhook_endpoint_health h set warned_at = null
      from recovered r where h.webhook_config_id = r.webhook_config_id
    )
    select ${ENDPOINT}, n.spell_at, n.spell_at::text as spell, ${IS_TO_BE_TAKEN_BACK} as mailed, coalesce(case when r.last_success_at > n.spell_at then r.last_success_at end, now()) as recovered_at
    from recovered r join client_webhook_configs c on c.id = r.webhook_config_id ${OWNER}
    join lateral (
      select spell_at from webhook_endpoint_notices n
      where n.webhook_config_id = c.id and n.kind = 'failing' order by n.created_at desc limit 1) n on true
    order by c.id
  `.execute(trx)
  return await announce(trx, { kind: 'recovered', template: 'endpoint_recovered' }, rows, (row) => ({
    ...describeEndpoint(row),
    failing_since: row.spell_at.toISOString(),
    recovered_at: row.recovered_at.toISOString(),
  }))
}

/** Announces every configuration that the system has switched off, whatever part of it did. */
export async function announceSwitchedOff(trx: Db): Promise<EndpointNotice[]> {
  const { rows } = await sql<Found & SwitchedOffEndpoint>`
    select ${ENDPOINT}, c.disabled_at::text as spell, true as mailed, c.disabled_at, c.disabled_reason, ${WAITING}
    from client_webhook_configs c ${OWNER}
    where c.disabled_at is not null and not c.is_active and not exists (
      select from webhook_endpoint_notices n
      where n.webhook_config_id = c.id and n.kind = 'switched_off' and n.spell_at = c.disabled_at)
    order by c.id for update of c skip locked
  `.execute(trx)
  return await announce(
    trx,
    { kind: 'switched_off', template: 'endpoint_switched_off', eventOf: describeDisabledEvent },
    rows,
    describeSwitchedOff,
  )
}

interface Found extends NamedEndpoint {
  /** as PostgreSQL's text: a Date would lose the microseconds, and the notice would not be found again */
  spell: string
  mailed: boolean
}

/** SQL, of `client_webhook_configs c`. */
const IS_TO_BE_TAKEN_BACK = sql`exists (
  select from webhook_endpoint_notices w where w.webhook_config_id = c.id and w.kind = 'failing' and w.mailed
    and not exists (select from webhook_endpoint_notices r
      where r.webhook_config_id = c.id and r.kind = 'recovered' and r.mailed and r.created_at > w.created_at))`

/**
 * Writes notices that are new, or that were not mailed and now are, and notifies their owners and every administrator,
 * each in one mail. With the mail goes the event, to the owner's other webhooks.
 */
async function announce<Row extends Found, Template extends DigestTemplate>(
  trx: Db,
  {
    kind,
    template,
    eventOf,
  }: {
    kind: EndpointNotice['kind']
    template: Template
    eventOf?: (row: Row) => ClientEventToWrite
  },
  rows: readonly Row[],
  write: (row: Row) => MailData<Template>,
): Promise<EndpointNotice[]> {
  if (rows.length === 0) return []
  const admins = await listAdministrators(trx)
  const notices: EndpointNotice[] = []
  const told = []
  const events: ClientEventToWrite[] = []
  for (const row of rows) {
    const { webhook_config_id, spell, mailed } = row
    const notice = await trx
      .insertInto('webhook_endpoint_notices')
      .values({ webhook_config_id, kind, spell_at: spell, mailed })
      .onConflict((conflict) =>
        conflict
          .columns(['webhook_config_id', 'kind', 'spell_at'])
          .doUpdateSet({ mailed: true, created_at: sql`now()` })
          .whereRef('excluded.mailed', '>', 'webhook_endpoint_notices.mailed'),
      )
      .returning('id')
      .executeTakeFirst()
    if (notice === undefined) continue
    notices.push({ webhook_config_id, kind })
    if (!mailed) continue
    told.push({ readers: [...new Set([row.client_user_id, ...admins])], key: notice.id, told: write(row) })
    if (eventOf !== undefined) events.push(eventOf(row))
  }
  await writeClientEvents(trx, events)
  await queueDigests(trx, template, told)
  return notices
}
