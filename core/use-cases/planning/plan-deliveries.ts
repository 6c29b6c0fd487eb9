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

/** Events that the plain form plans at most: from then on the whole form costs each of them no more. */
export const MOST_PLAIN = 25
/** Deliveries of one event that it plans at most, and of all of them together, as it has no turns to take between clients. */
const MOST_PLAIN_DELIVERIES = { ofEvent: 4, ofAll: 25 }

/** Deliveries that one statement has planned: leased to the caller, or due and waiting for a claim. */
export interface JustPlanned {
  claimed: readonly ClaimedDelivery[]
  due: PlannedDeliveries['due']
}

interface PlanOptions<Event extends EventToPlan> {
  /** remembers what it has read */
  readChoices?: ReadChoices
  /** leaves out events of which it is known that the plain form does not plan them */
  isPlain?: (event: Event) => boolean
  /** slots that the first statement may claim for, and how long its leases last */
  claim?: { slots: readonly ReservedSlots[]; leaseSeconds: number }
  /** told after each statement: what is planned does not wait until somebody's conditions are read */
  onPlanned?: (planned: JustPlanned) => Promise<void>
  /** how long a statement may wait for what somebody else has locked; past that it fails with 55P03, see isLockTimeout */
  patienceMs?: number
}

/** Plans events to the last, see {@link planSomeDeliveries}. @param atOnce how many of their deliveries go at once: all, unless told */
export async function planDeliveries(
  db: Db,
  events: readonly EventToPlan[],
  atOnce: Partial<Pick<DeliveriesAtOnce, 'ofLead' | 'spreading'>> = {},
): Promise<PlannedDeliveries['due']> {
  return (await planSomeDeliveries(db, events, { ...EVERYTHING, ...atOnce })).due
}

/**
 * Plans the deliveries of events, each whole or not at all, as `planJudged` says. A few events go through the plain form, which can claim
 * what it plans; the whole form plans what that leaves. Events that some configuration listens to that has conditions or sending hours
 * are planned in one more statement, once those are judged.
 * @param most of each client his first lead is planned while there is room, however many deliveries it makes
 * @returns the deliveries that wait for a claim, and what is left; `notPlain`: ids of events that the plain form did not plan
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

/** If a client's leads spread over many webhooks, only the first delivery of each goes at once; the whole form tells them apart. */
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
