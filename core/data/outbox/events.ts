import { sql, type Kysely, type RawBuilder } from 'kysely'
import { EVENT_TYPES, timelineEventSchema, type TimelineEvent } from '#core/contract/events.ts'
import { BEGINNING } from '../first-page.ts'
import { memberName } from '../accounts/named-client.ts'
import { inOrder } from '../in-order.ts'
import type { Database } from '../schema/tables.ts'
import type { Db } from '../database.ts'

/**
 * The same as `is null`, for looking events up by id. It is written so that the planner cannot use a queue's partial
 * index. That index holds the dead entries of every event since the last vacuum, and all of them would be read.
 */
const isMissing = (column: 'enqueued_at' | 'planned_at') =>
  sql`coalesce(${sql.ref(column)}, 'infinity') = 'infinity'`

/** An outbox row that is not enqueued yet. A newer version may have written it, with a type that is unknown here. */
export interface EventToEnqueue {
  id: string
  type: string
  /** the client that owns it; null if it belongs to none */
  client_user_id: string | null
}

/** The events of some leads that are not enqueued yet, oldest first. */
export async function findEventsToEnqueueOfLeads(
  db: Db,
  leadIds: readonly string[],
): Promise<EventToEnqueue[]> {
  const { rows } = await sql<EventToEnqueue>`
    select id, type, client_user_id from events where lead_id = any(${[...leadIds]}::uuid[]) and ${isMissing('enqueued_at')}
    order by created_at, type <> 'lead.created', id
  `.execute(db)
  return rows
}

/** A place among waiting events. `created` is PostgreSQL's text, because a Date would lose the microseconds. */
export interface UnplannedEvent extends EventToEnqueue {
  created: string
}

/**
 * Events that were not enqueued within 2 s of their commit, oldest first. It reads a flag, never a position, so that a
 * late commit cannot be skipped.
 * @param of.types the types that this version consumes (core/queue/event-consumers.ts); others are passed over, at the
 * head or not
 * @param of.after pages through them
 */
export async function findUnenqueuedEvents(
  db: Kysely<Database>,
  { types, limit, after }: { types: readonly string[]; limit: number; after?: UnplannedEvent | undefined },
): Promise<UnplannedEvent[]> {
  return await inOrder(
    db,
    async (trx) => {
      const { rows } = await sql<UnplannedEvent>`
    select id, type, client_user_id, created_at::text as created from events
    where enqueued_at is null and created_at < now() - interval '2 seconds'
      and failed_at is null and type = any(${[...types]}::text[])
      and (created_at, id) > (${after?.created ?? BEGINNING.time}::timestamptz, ${after?.id ?? BEGINNING.id}::uuid)
    order by created_at, id limit ${limit}
  `.execute(trx)
      return rows
    },
    'beginning',
  )
}

/**
 * Events of these types that were enqueued and are not planned `overdueSeconds` later: they wait in a backlog, or Redis
 * lost them. Oldest first; `after` pages through all of them. An event whose consumer gave up is left out.
 */
export async function findUnplannedEvents(
  db: Kysely<Database>,
  options: {
    types: readonly string[]
    overdueSeconds: number
    limit: number
    after: UnplannedEvent | undefined
  },
): Promise<UnplannedEvent[]> {
  const { types, overdueSeconds, limit, after } = options
  return await inOrder(
    db,
    async (trx) => {
      const { rows } = await sql<UnplannedEvent>`
    select id, type, client_user_id, created_at::text as created from events
    where planned_at is null and enqueued_at < now() - make_interval(secs => ${overdueSeconds})
      and failed_at is null and type = any(${[...types]}::text[])
      and (created_at, id) > (${after?.created ?? BEGINNING.time}::timestamptz, ${after?.id ?? BEGINNING.id}::uuid)
    order by created_at, id
    limit ${limit}
  `.execute(trx)
      return rows
    },
    'beginning',
  )
}

/** Reads these events, without those that do not exist. */
export async function findEventsById(db: Db, ids: readonly string[]): Promise<EventToEnqueue[]> {
  const { rows } = await sql<EventToEnqueue>`
    select id, type, client_user_id from events where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows
}

/** An event that offers a lead. */
export interface OfferEvent {
  id: string
  lead_id: string
  /** its `lead.created`, if that is not planned yet */
  created_id: string | null
}

/** Reads these events, without those that do not exist or are about no lead. */
export async function findOffers(db: Db, ids: readonly string[]): Promise<OfferEvent[]> {
  const { rows } = await sql<OfferEvent>`
    select offer.id, offer.lead_id, (
      select id from events
      where lead_id = offer.lead_id and type = 'lead.created' and ${isMissing('planned_at')} limit 1) as created_id
    from events offer where offer.id = any(${[...ids]}::uuid[]) and offer.lead_id is not null
  `.execute(db)
  return rows
}

/**
 * Marks the events that Redis has taken, with the time of the last take. Safe to run twice. It skips locked events: the
 * holder of the lock is planning the event, and marks it as well. Two callers that waited for each other would
 * deadlock.
 */
export async function markEnqueued(db: Db, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await sql`
    update events set enqueued_at = now()
    where id = any(array(
      select id from events where id = any(${[...eventIds]}::uuid[]) and ${isMissing('planned_at')}
      order by id for update skip locked))
  `.execute(db)
}

/**
 * Counts a failure that is the event's own. After `most` failures its consumer gives the event up: it is left alone
 * until somebody sets `failed_at` to null and `failures` to 0.
 * @returns whether it is given up now
 */
export async function noteEventFailure(db: Db, id: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ has_ended: boolean }>`
    update events set failures = failures + 1, enqueued_at = coalesce(enqueued_at, now()), failed_at = case when failures + 1 >= ${most}::int then now() end
    where id = ${id} and ${isMissing('planned_at')}
    returning failed_at is not null as has_ended
  `.execute(db)
  return rows[0]?.has_ended === true
}

/**
 * A lead's timeline, oldest first; events of the same moment are ordered cause before effect.
 * @param client leaves out everything but this client's own events and an erasure: what the market did with the lead
 * would tell of other clients. Undefined for an administrator.
 * @param member the agent who reads: whom else the lead was given to stays hidden
 */
export async function readTimeline(
  db: Db,
  leadId: string,
  client: string | undefined,
  member?: string,
): Promise<TimelineEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'type', 'created_at'])
    // A lead that did not fit a webhook has no delivery there from which the webhook's name could be read, and one whose
    // outcome came may have lost it.
    .select(
      sql`case when type in ('delivery.skipped', 'lead.outcome_received') then data || jsonb_build_object('webhook_name', (
        select webhook_name from client_webhook_configs where id = (data ->> 'webhook_config_id')::uuid))
        when type = 'lead.given' then ${givenTo(member)} else data end`.as('data'),
    )
    .where('lead_id', '=', leadId)
    .$if(client !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('client_user_id', '=', client ?? ''),
          row.and([row('client_user_id', 'is', null), row('type', '=', 'lead.erased')]),
        ]),
      ),
    )
    .orderBy('created_at')
    // Events of one transaction share their time, and ids of one millisecond have no order. Unknown types come last.
    .orderBy(sql`array_position(${[...EVENT_TYPES]}::text[], type)`)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    // One event with unreadable data must not hide the others.
    data: timelineEventSchema.shape.data.safeParse(row.data).data ?? {},
  }))
}

/** SQL on an event `lead.given`: its data, with the name of the person who got the lead. */
function givenTo(member: string | undefined): RawBuilder<unknown> {
  const isShown = member === undefined ? sql`true` : sql`data ->> 'member_user_id' = ${member}`
  return sql`case when ${isShown} then data - array['is_first', 'was'] || jsonb_build_object('member_name', (
      select ${memberName('p')} from profiles p where p.user_id = (data ->> 'member_user_id')::uuid))
    else data - array['is_first', 'was', 'by', 'note', 'member_user_id'] || '{"member_user_id": null, "member_name": null, "note": null, "by": null}' end`
}
