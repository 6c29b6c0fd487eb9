import type { AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import type { Db } from '#core/data/database.ts'
import { makeDueWhereChanged } from '#core/data/webhooks/deliveries/move-planned.ts'
import {
  planJudged,
  type DeliveriesAtOnce,
  type EventToPlan,
  type PlannedDeliveries,
} from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { foldLead } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import { judgePlanned, type DeliveryVerdict } from '#core/domain/webhooks/conditions/judge-planned.ts'
import { createChoiceReader, keyOfChoice, type ReadChoices } from './read-choices.ts'

const MANY = 2 ** 31 - 1
const EVERYTHING = { all: MANY, ofClient: MANY, ofLead: MANY, spreading: [] }
/** Of configurations that change all the while; the event's job fails then, and begins again. */
const MOST_ROUNDS = 10

/** Plans events to the last, see {@link planSomeDeliveries}. @param atOnce how many of their deliveries go at once: all, unless told */
export async function planDeliveries(
  db: Db,
  events: readonly EventToPlan[],
  atOnce: Partial<Pick<DeliveriesAtOnce, 'ofLead' | 'spreading'>> = {},
): Promise<PlannedDeliveries['due']> {
  return (await planSomeDeliveries(db, events, { ...EVERYTHING, ...atOnce })).due
}

/**
 * Plans the deliveries of events, each whole or not at all, as `planJudged` says. Events that some configuration listens to that has
 * conditions or sending hours are planned in a second statement, once those are judged; the others cost one.
 * @param most of each client his first lead is planned while there is room, however many deliveries it makes
 * @param options.readChoices remembers what it has read
 * @param options.onDue told of what is planned as soon as it is: others do not wait until somebody's conditions are read
 * @param options.patienceMs how long it may wait for what somebody else has locked; past that it fails with 55P03, see isLockTimeout
 */
export async function planSomeDeliveries(
  db: Db,
  events: readonly EventToPlan[],
  most: DeliveriesAtOnce,
  options: {
    readChoices?: ReadChoices
    onDue?: (due: PlannedDeliveries['due']) => Promise<void>
    patienceMs?: number
  } = {},
): Promise<PlannedDeliveries> {
  const { readChoices = createChoiceReader(db), onDue, patienceMs } = options

  /** @param now by the database's clock, which says what is due */
  async function judge(asked: readonly AskedEvent[], now: Date): Promise<DeliveryVerdict[]> {
    const choices = await readChoices(asked.flatMap(({ configurations }) => configurations))
    return asked.flatMap(({ event_id: id, lead, configurations }) => {
      const folded = foldLead(lead)
      return configurations.flatMap((one) => {
        const choice = choices.get(keyOfChoice(one))
        return choice === undefined ? [] : [judgePlanned(id, choice, folded, now)]
      })
    })
  }

  const planned: PlannedDeliveries = { due: [], left: [] }
  let verdicts: DeliveryVerdict[] = []
  /** of them, those that wait for an opening */
  let forHours: DeliveryVerdict[] = []
  let open = events
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const { due, left, asked, now } = await planJudged(db, open, most, verdicts, patienceMs)
    planned.due.push(...due)
    planned.left.push(...left)
    await onDue?.(due)
    if (forHours.length > 0) await makeDueWhereChanged(db, forHours)
    if (asked.length === 0) return planned
    verdicts = await judge(asked, now)
    forHours = verdicts.filter(({ due_at: dueAt }) => dueAt > now)
    const ids = new Set(asked.map(({ event_id: id }) => id))
    open = open.filter(({ event_id: id }) => ids.has(id))
  }
  throw new Error(
    'The conditions of a configuration changed again and again while its deliveries were planned',
  )
}
