import { sql, type RawBuilder } from 'kysely'
import type { LogStatus } from '#core/contract/webhooks/delivery.ts'
import { CLIENT_EVENTS, type SentEvent } from '#core/contract/events.ts'
import type { Db } from '#core/data/database.ts'
import { isSharedOr } from '#core/data/leads/deliveries-of-lead.ts'
import { containsPattern, matchesLead } from '#core/data/leads/lists/search-leads.ts'
import { hasEnded } from '#core/data/market/sale/ended-assignments.ts'
import type { PagePosition } from '#core/data/page.ts'
import { isOfAgent } from './told-lead.ts'

/**
 * Times between which every week has a partition. Given as values, so that the planner sees them: it then excludes the
 * default partition, and can read the weeks in their order.
 */
export interface KeptSpan {
  since: Date
  until: Date
}

/** Selects attempts. `client` undefined: all clients', for an administrator. */
export interface LogFilter {
  client: string | undefined
  /** the agent who reads: only own leads, sent to own and shared webhooks */
  member?: string | undefined
  webhook_config_id?: string
  lead_id?: string
  status?: LogStatus | undefined
  event_type?: SentEvent | undefined
  /**
   * The span of time for which the log is kept: within it, weeks are read from the newest on, and no further than
   * needed.
   */
  kept?: KeptSpan | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** part of the lead's name, e-mail or phone or of an error, or an id */
  search?: string | undefined
}

/** SQL on the row of the log (`g`) or of the deliveries (`d`) for a whole filter except its search. */
export function logConditions(
  alias: 'g' | 'd',
  time: 'created_at' | 'finished_at',
  filter: LogFilter,
  after: PagePosition | undefined,
): RawBuilder<unknown> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  const equals = (name: string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(sql`${column(name)} = ${value}`)
  }
  equals('client_user_id', filter.client)
  equals('webhook_config_id', filter.webhook_config_id)
  equals('lead_id', filter.lead_id)
  equals('event_type', filter.event_type)
  if (filter.member !== undefined)
    conditions.push(
      sql`${isSharedOr(column('webhook_config_id'), filter.member)} and ${isOfAgent(alias, filter.member)}`,
    )
  if (alias === 'g' && filter.kept !== undefined) {
    conditions.push(sql`g.created_at >= ${filter.kept.since} and g.created_at < ${filter.kept.until}`)
  }
  if (filter.from !== undefined) conditions.push(sql`${column(time)} >= ${filter.from}`)
  if (filter.to !== undefined) conditions.push(sql`${column(time)} < ${filter.to}`)
  if (after !== undefined) {
    conditions.push(sql`(${column(time)}, ${column('id')}) < (${after.at}::timestamptz, ${after.id}::uuid)`)
  }
  return sql`${sql.join(conditions, sql` and `)}`
}

/**
 * The conditions of a search: conditions on the log, each answered by one index, any of which may match, and a
 * condition on `d`.
 */
export interface LogSearch {
  attempts: FoundAttempts[]
  deliveries: RawBuilder<unknown>
}

/**
 * A condition on `g`, and how its attempts are found. `lead`: few leads are named, and all their attempts are read,
 * even if others would fill a page sooner; `error`: by the words of the webhook's failure; `time`: all attempts are
 * walked, newest first.
 */
export type FoundAttempts = { condition: RawBuilder<unknown> } & (
  | { by: 'lead'; leads: readonly string[] }
  | { by: 'error'; webhookConfigId: string; pattern: string }
  | { by: 'time' }
)

/**
 * Up to this many leads are looked up one by one in the log's index; if more leads match, walking the log finds them
 * soon.
 */
const FEW_LEADS = 500
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Finds the leads that a search means first, by the indexes of the leads, so that the log is not read whole for one
 * name.
 * @throws if a search names no configuration whose log is searched
 */
export async function resolveSearch(db: Db, filter: LogFilter): Promise<LogSearch> {
  const { search, webhook_config_id: webhookConfigId, lead_id: lead } = filter
  const everything = sql`true`
  if (search === undefined) {
    const found: FoundAttempts =
      lead === undefined
        ? { by: 'time', condition: everything }
        : { by: 'lead', leads: [lead], condition: everything }
    return { attempts: [found], deliveries: everything }
  }
  if (webhookConfigId === undefined) throw new Error('A search is of the log of one configuration')
  if (UUID.test(search)) return await resolveId(db, search)
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l where ${matchesLead(search)} and ${isInLog(filter)} limit ${FEW_LEADS + 1}
  `.execute(db)
  const leads = rows.map(({ id }) => id)
  const of = (alias: 'g' | 'd'): RawBuilder<unknown> =>
    leads.length > FEW_LEADS
      ? sql`exists (select from leads l where l.id = ${sql.ref(`${alias}.lead_id`)} and ${matchesLead(search)} and ${isNamed(filter)})`
      : sql`${sql.ref(`${alias}.lead_id`)} = any(${leads}::uuid[])`
  const attempts: FoundAttempts[] = [
    { by: 'error', webhookConfigId, pattern: containsPattern(search), condition: everything },
  ]
  if (leads.length > FEW_LEADS) attempts.push({ by: 'time', condition: of('g') })
  else if (leads.length > 0) attempts.push({ by: 'lead', leads, condition: everything })
  return { attempts, deliveries: of('d') }
}

/**
 * The id of a lead, a delivery or an event (the receiver's `webhook-id`); the log is read by the lead. For a lead it finds
 * what was told of it beside it too.
 */
async function resolveId(db: Db, id: string): Promise<LogSearch> {
  const { rows: beside } = await sql<{ id: string }>`
    select id from events where lead_id = ${id} and type = any(${[...CLIENT_EVENTS]}::text[])`.execute(db)
  const told = beside.map((event) => event.id)
  const { rows } = await sql<{ lead_id: string }>`
    select ${id}::uuid as lead_id
    union select lead_id from webhook_deliveries where id = ${id}
    union select lead_id from events where id = ${id} and lead_id is not null
    union select unnest(${told}::uuid[])
  `.execute(db)
  const leads = rows.map((row) => row.lead_id)
  const named = (alias: 'g' | 'd', delivery: string): RawBuilder<unknown> => sql`
    ${sql.ref(`${alias}.lead_id`)} = any(${leads}::uuid[])
    and (${id}::uuid in (${sql.ref(`${alias}.lead_id`)}, ${sql.ref(delivery)}, ${sql.ref(`${alias}.event_id`)})
      or ${sql.ref(`${alias}.lead_id`)} = any(${told}::uuid[]))`
  return {
    attempts: [{ by: 'lead', leads, condition: named('g', 'g.delivery_id') }],
    deliveries: named('d', 'd.id'),
  }
}

/** The leads whose deliveries this log holds, including those that have gone to another client since. */
function isInLog(filter: LogFilter): RawBuilder<unknown> {
  const whose = [sql`true`]
  if (filter.client !== undefined) whose.push(sql`d.client_user_id = ${filter.client}`)
  if (filter.webhook_config_id !== undefined)
    whose.push(sql`d.webhook_config_id = ${filter.webhook_config_id}`)
  return sql`${isNamed(filter)} and exists (
    select from webhook_deliveries d where d.lead_id = l.id and ${sql.join(whose, sql` and `)})`
}

/**
 * SQL: the log shows the personal data of the lead `l`. It hides a lead that was given back or went on to another
 * client, so a search must not find it by name.
 */
function isNamed({ client }: LogFilter): RawBuilder<unknown> {
  return client === undefined ? sql`true` : sql`not ${hasEnded(sql`l.id`, sql`${client}`)}`
}
