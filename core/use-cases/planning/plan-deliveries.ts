import type { AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import type { Db } from '#core/data/database.ts'
import { makeDueWhereChanged } from '#core/data/webhooks/deliveries/move-planned.ts'
import type { EventToPlan, PlannedDeliveries } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { planJudged, type DeliveriesAtOnce } from '#core/data/webhooks/deliveries/plan-judged.ts'
import { planPlainly, type ReservedSlots } from '#core/data/webhooks/deliveries/plan-plain.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { foldLead } from '#core/domain/webhooks/conditions/judge-conditions.ts'
import { judgePlanned, type DeliveryVerdict } from '#core/domain/webhooks/conditions/judge-planned.ts'
import { createChoiceReader, keyOfChoice, type ReadChoices } from './read-choices.ts'

const MANY = 2 ** 31 - 1
const EVERYTHING = { all: MANY, ofClient: MANY, ofLead: MANY, spreading: [] }
/** Rounds for configurations that keep changing. After them the event's job fails and begins again. */
const MOST_ROUNDS = 10

/** Limit of events for the plain form: above it the whole form costs no more for each of them. */
export const MOST_PLAIN = 25
/**
 * Limit of one event's deliveries in the plain form, and of all events together, because it does not alternate between
 * clients.
 */
const MOST_PLAIN_DELIVERIES = { ofEvent: 4, ofAll: 25 }

/** Deliveries that one statement has planned: either leased to the caller, or due and waiting for a claim. */
export interface JustPlanned {
  claimed: readonly ClaimedDelivery[]
  due: PlannedDeliveries['due']
}

interface PlanOptions<Event extends EventToPlan> {
  /** remembers the choices that it has read */
  readChoices?: ReadChoices
  /** excludes events that are known not to fit the plain form */
  isPlain?: (event: Event) => boolean
  /** slots for which the first statement may claim deliveries, and the length of its leases */
  claim?: { slots: readonly ReservedSlots[]; leaseSeconds: number }
  /** told after each statement, so that planned deliveries do not wait until conditions are read */
  onPlanned?: (planned: JustPlanned) => Promise<void>
  /** how long a statement may wait for a lock; after that it fails with 55P03, see isLockTimeout */
  patienceMs?: number
}

/**
 * Plans all deliveries of events, see {@link planSomeDeliveries}.
 * @param atOnce how many of their deliveries have priority 0: all, unless given
 */
export async function planDeliveries(
  db: Db,
  events: readonly EventToPlan[],
  atOnce: Partial<Pick<DeliveriesAtOnce, 'ofLead' | 'spreading'>> = {},
): Promise<PlannedDeliveries['due']> {
  return (await planSomeDeliveries(db, events, { ...EVERYTHING, ...atOnce })).due
}

/**
 * Plans the deliveries of events, each event whole or not at all, as `planJudged` says. A few events go through the
 * plain form, which can claim what it plans; the whole form plans the rest. If a configuration with conditions or
 * sending hours listens to an event, the event is planned in one more statement, once those are judged.
 * @param most limit of deliveries; each client's first lead is planned while there is room, however many deliveries it
 * makes
 * @returns the deliveries that wait for a claim, and the events that are left; `notPlain`: ids of events that the plain
 * form did not plan
 */
export async function planSomeDeliveries<Event extends EventToPlan>(
  db: Db,
  events: readonly Event[],
  most: DeliveriesAtOnce,
  options: PlanOptions<Event> = {},
): Promise<PlannedDeliveries & { notPlain: string[] }> {
  const { isPlain = () => true, claim, onPlanned, patienceMs } = options
  const plain = events.filter(isPlain)
  const few = plain.length <= MOST_PLAIN ? plain : []
  if (few.length === 0) return { ...(await planWhole(db, events, most, options)), notPlain: [] }
  const { claimed, due, others } = await planPlainly(db, few, {
    slots: claim?.slots ?? [],
    leaseSeconds: claim?.leaseSeconds ?? 0,
    mostOfEvent: countPlain(few.length, most),
    patienceMs,
  })
  await onPlanned?.({ claimed, due })
  const open = new Set(others)
  const rest = events.filter((event) => !few.includes(event) || open.has(event.event_id))
  if (rest.length === 0) return { due, left: [], notPlain: [] }
  const whole = await planWhole(db, rest, most, options)
  return { due: [...due, ...whole.due], left: whole.left, notPlain: others }
}

/**
 * If a client's leads go to many webhooks, only the first delivery of each has priority 0; the whole form can tell them
 * apart.
 */
function countPlain(events: number, { all, ofClient, ofLead, spreading }: DeliveriesAtOnce): number {
  if (spreading.length > 0) return 1
  const ofEach = Math.min(MOST_PLAIN_DELIVERIES.ofAll, all, ofClient) / events
  return Math.min(MOST_PLAIN_DELIVERIES.ofEvent, ofLead, Math.floor(ofEach))
}

async function planWhole(
  db: Db,
  events: readonly EventToPlan[],
  most: DeliveriesAtOnce,
  options: Pick<PlanOptions<EventToPlan>, 'readChoices' | 'onPlanned' | 'patienceMs'>,
): Promise<PlannedDeliveries> {
  const { readChoices = createChoiceReader(db), onPlanned, patienceMs } = options

  /** @param now by the database's clock, which decides what is due */
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
  /** those of them that wait for an opening */
  let forHours: DeliveryVerdict[] = []
  let open = events
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const { due, left, asked, now } = await planJudged(db, open, most, verdicts, patienceMs)
    planned.due.push(...due)
    planned.left.push(...left)
    await onPlanned?.({ claimed: [], due })
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
