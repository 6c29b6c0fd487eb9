import { sql } from 'kysely'
import { PLANNED_EVENTS } from '#core/contract/events.ts'
import { askedEventSchema, type AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import { OFFERED_DAYS } from '#core/contract/webhooks/delivery.ts'
import type { DeliveryVerdict } from '#core/domain/webhooks/conditions/judge-planned.ts'
import { readStored } from '#core/read-stored.ts'
import { compileOnce } from '../../compile-once.ts'
import type { Db } from '../../database.ts'
import type { DueRow, EventToPlan, PlannedDeliveries } from './plan-deliveries.ts'
import { steps, type Value } from './plan-steps.ts'

/** Limit of deliveries that are planned together, and how many of them have priority 0. */
export interface DeliveriesAtOnce {
  all: number
  /** limit for one client's events; events without a client have no such limit */
  ofClient: number
  /**
   * number of deliveries of one event to one client that have priority 0: those of the oldest configurations; the
   * others have a lower one (core/fairness/fan-out.ts)
   */
  ofLead: number
  /** clients of which only the first delivery of every event has priority 0 */
  spreading: readonly string[]
}

/** `asked`: the configurations to be judged before their events can be planned; `now` is the database's clock. */
export interface PlannedSome extends PlannedDeliveries {
  asked: AskedEvent[]
  now: Date
}

/**
 * Plans the deliveries of events: one for each matching configuration, all in one statement, so that an event is
 * planned whole or not at all. Triggers and conditions count as they were when the event happened, so a configuration
 * that was created later, or got the trigger later, gets nothing. A configuration that is switched off now gets its
 * delivery too, but held and offered: it is not sent until its owner says so (offered-deliveries.ts). A configuration
 * that is being deleted, or whose account was erased, gets none while it is off.
 *
 * The matching configurations (docs/contract.md §5): `lead.created` goes to the client that owns the lead and to every
 * administrator, whoever owns it; for a marketplace lead to administrators alone. `lead.assigned` goes to the client to
 * which it was assigned; `lead.given` goes to the webhooks of the person to whom it was given, and only to them. A
 * person's webhook gets only that person's leads. Events of other types are left to their own consumers. A
 * configuration with conditions or
 * sending hours needs a verdict. Without a verdict for its present version the event is not planned, and the
 * configuration is returned in `asked`. If a lead does not meet the conditions, its timeline gets an entry in place of
 * a delivery.
 *
 * Clients whose events make few deliveries come first, and beyond `most` deliveries the other events are left for
 * another time: a lead to a hundred webhooks is a hundred deliveries, which must not delay other clients. Safe to run
 * twice: a planned event returns its due deliveries that still wait for their first attempt.
 * @param most limit of deliveries; while there is room, the first lead of each client is planned however many
 * deliveries it makes
 * @param patienceMs how long it may wait for a lock; after that it fails with 55P03, and nothing is planned
 */
export async function planJudged(
  db: Db,
  events: readonly EventToPlan[],
  most: DeliveriesAtOnce,
  verdicts: readonly DeliveryVerdict[],
  patienceMs?: number,
): Promise<PlannedSome> {
  const turns = new Map(events.map(({ event_id: id, turn }) => [id, turn]))
  const ids = [...turns.keys()].toSorted()
  const rows = await plan(db, {
    patience: patienceMs === undefined ? null : `${patienceMs}ms`,
    ids,
    turns: ids.map((id) => turns.get(id) ?? 0),
    verdict_events: verdicts.map((one) => one.event_id),
    verdict_configs: verdicts.map((one) => one.webhook_config_id),
    verdict_versions: verdicts.map((one) => one.version),
    verdict_unmet: verdicts.map((one) => JSON.stringify(one.unmet)),
    verdict_due_at: verdicts.map((one) => one.due_at),
    event_types: PLANNED_EVENTS,
    most: most.all,
    most_of_client: most.ofClient,
    most_of_lead: most.ofLead,
    spreading: most.spreading,
    offered_days: OFFERED_DAYS,
  })
  return readRows(rows)
}

/** A due delivery, an event that is left, or one whose configurations have to be judged. */
type PlannedRow =
  | { kind: 'left'; event_id: string; type: string; client_user_id: string | null; size: number }
  | DueRow
  | { kind: 'asked'; now: Date; asked: unknown }

function readRows(rows: readonly PlannedRow[]): PlannedSome {
  const planned: PlannedSome = { due: [], left: [], asked: [], now: new Date(0) }
  for (const row of rows)
    switch (row.kind) {
      case 'left': {
        const { event_id: id, type, client_user_id, size } = row
        planned.left.push({ id, type, client_user_id, size })
        break
      }
      case 'asked': {
        planned.now = row.now
        planned.asked.push(readStored(askedEventSchema, row.asked, 'what deliveries are judged by'))
        break
      }
      case 'due': {
        const { delivery_id, event_id, webhook_config_id, client_user_id, turn } = row
        planned.due.push({ delivery_id, event_id, webhook_config_id, client_user_id, turn, attempt: 1 })
      }
    }
  return planned
}

/**
 * The whole statement: the steps, and the rows that it returns. These are the new due deliveries, the events that are
 * left, the configurations to be judged, and the deliveries of earlier runs that nobody has tried yet.
 */
const plan = compileOnce<PlannedRow, Record<Value, unknown>>(
  (value) => sql`
    with ${steps(value)}
    select 'due' as kind, id as delivery_id, event_id, webhook_config_id, client_user_id, turn, null as type, null::int as size,
      null::jsonb as asked, null::timestamptz as now
    from made where state = 'pending' and next_attempt_at <= now()
    union all
    select 'left', null, id, null, client_user_id, null, type, size, null, null from in_line where not fits
    union all
    select 'asked', null, null, null, null, null, null, null,
      jsonb_build_object('event_id', choosy.event_id, 'configurations',
        jsonb_agg(jsonb_build_object('webhook_config_id', choosy.webhook_config_id, 'version', choosy.version,
          'choice_id', choosy.choice_id)), 'lead',
        jsonb_build_object('lead_type', l.lead_type, 'source', l.source, 'state', l.state, 'age', l.age,
          'date_of_birth', l.date_of_birth, 'is_test', l.is_test, 'custom', l.custom,
          'zip', l.zip, 'timezone', l.timezone, 'phone', l.phone)), now()
    from choosy join in_line on in_line.id = choosy.event_id and fits join leads l on l.id = choosy.lead_id
    group by choosy.event_id, l.id
    union all
    select 'due', d.id, d.event_id, d.webhook_config_id, d.client_user_id, d.turn, null, null, null, null from webhook_deliveries d
    where d.event_id = any(${value('ids')}::uuid[]) and d.resend_of is null
      and case d.state when 'pending' then d.attempt = 0 and d.next_attempt_at <= now() else false end`,
)
