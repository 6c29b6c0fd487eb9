import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#core/pace/batch.ts'
import type { DueDelivery, LeftEvent } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { planSomeDeliveries } from '#core/planning/plan-deliveries.ts'
import { createChoiceReader } from '#core/planning/read-choices.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, noteEventFailure } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { noteLeads, type FanOut } from '#core/fairness/fan-out.ts'
import type { GiveWay } from '../dispatch/give-way.ts'
import { FAN_OUT, PLANS } from '#core/fairness/limits.ts'
import { createTurns } from '#core/fairness/turns.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { Stage } from '../queues/run-stage.ts'
import type { AnnounceDue } from '../dispatch/announce-due.ts'
import type { Traces } from '../dispatch/keep-traces.ts'
import type { Rounds } from '../dispatch/open-rounds.ts'
import { createHearers } from '../dispatch/remember-hearers.ts'
import type { Reservation } from '../dispatch/reserve-slots.ts'
import { createPlanApart, type Planned, type TracedEvent } from './plan-apart.ts'

/**
 * Consumes: lead-created, lead-assigned (the ids of an event and of those that came with it).
 * Emits: one delivery for each matching configuration; held and offered if that is switched off.
 * Safe to run twice because: an event is planned once (planned_at, unique event × configuration), and one ring too many does no harm. A lost
 * ring is made up for by polling (worker/dispatch/look-for-due.ts). An event that PostgreSQL refuses to plan is marked after MOST_OWN_FAILURES
 * tries, and its job kept; one whose rows somebody has locked is tried again for as long as that lasts, and delays no others.
 */
export function createPlanning(
  context: WorkerContext,
  parts: {
    announceDue: AnnounceDue
    rounds: Pick<Rounds, 'reserve' | 'leaseSeconds'>
    traces: Pick<Traces, 'keep'>
    giveWay: Pick<GiveWay, 'noteMuch' | 'restMs'>
    fanOut: Pick<FanOut, 'note' | 'beyond'>
  },
): { planDeliveries: Stage } {
  const { announceDue, rounds, giveWay, fanOut } = parts
  const readChoices = createChoiceReader(context.db)
  const hearers = createHearers(() => performance.now())
  const { planTogether, planHeldUp, isHeldUp, patienceMs } = createPlanApart(context.db, plan)

  async function plan(events: readonly TracedEvent[]): Promise<Planned[]> {
    await failpoint('before-plan')
    context.metrics.observeBatch('plan', events.length)
    const reservation = rounds.reserve(hearers.foresee(events))
    try {
      return await planFor(events, reservation)
    } catch (error) {
      if (error instanceof Error && (isLockTimeout(error) || isRefused(error))) reservation.begin([])
      else void reservation.recover()
      throw error
    }
  }

  async function planFor(
    events: readonly TracedEvent[],
    reservation: Pick<Reservation, 'slots' | 'begin'>,
  ): Promise<Planned[]> {
    const most = {
      all: PLANS.deliveries,
      ofClient: PLANS.deliveriesOfClient,
      ofLead: FAN_OUT.ofLead,
      spreading: fanOut.beyond(),
    }
    // Each goes on with the trace of its own event, whoever's it was that set this batch off.
    const traces = new Map(events.map(({ event_id: id, trace }) => [id, trace]))
    const deliveries: Array<DueDelivery & { event_id: string }> = []
    const { left, notPlain } = await planSomeDeliveries(context.db, events, most, {
      readChoices,
      isPlain: hearers.isPlain,
      claim: { slots: reservation.slots, leaseSeconds: rounds.leaseSeconds },
      patienceMs: patienceMs(),
      onPlanned: async ({ claimed, due }) => {
        await failpoint('after-plan')
        if (claimed.length > 0) await failpoint('after-claim')
        const made = [...claimed, ...due]
        deliveries.push(...made)
        noteMany(made)
        for (const { delivery_id: id, event_id: event } of made) {
          const trace = traces.get(event)
          if (trace !== undefined) parts.traces.keep(id, trace)
        }
        reservation.begin(claimed)
        await announceDue(due.map((delivery) => ({ ...delivery, trace: traces.get(delivery.event_id) })))
      },
    })
    hearers.note(events, deliveries, notPlain)
    const leftById = new Map(left.map((event) => [event.id, event]))
    const made = Map.groupBy(deliveries, (delivery) => delivery.event_id)
    return events.map(({ event_id: id }) => ({
      failure: undefined,
      left: leftById.get(id),
      made: made.get(id)?.length ?? 0,
    }))
  }

  /** Of who brings many, by a burst or to many webhooks. */
  function noteMany(due: ReadonlyArray<DueDelivery & { event_id: string }>): void {
    for (const { turn, client_user_id: client } of due) if (turn > 0) giveWay.noteMuch(client)
    noteLeads(fanOut, due)
  }

  async function planAndRest(events: readonly TracedEvent[]): Promise<Planned[]> {
    const planned = await planTogether(events)
    const made = planned.reduce((sum, one) => sum + one.made, 0)
    // What makes none costs about as much: of a lead's two events mostly one does.
    const least = planned.filter(({ left }) => left === undefined).length / 2
    await sleep(Math.min(giveWay.restMs(Math.max(made, least)), PLANS.longestRestMs))
    return planned
  }

  /** What is refused, or held up, goes on in a job of its own, which fails, and ends or is repeated, without the others. */
  async function separate(events: readonly TracedEvent[]): Promise<void> {
    for (const [turn, its] of Map.groupBy(events, (event) => event.turn)) {
      const ids = its.map(({ event_id: id }) => id)
      const found = await findEventsById(context.db, ids)
      if (!(await context.events.publish(found, { mark: 'now', apart: true, turn })))
        throw new Error('Redis did not take the events that are refused')
    }
  }

  const plans = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.batch,
    parallel: 2,
    pace: PLANS.pace,
    flush: planTogether,
  })
  // A burst is planned in small pieces, no faster than its deliveries may begin: a single event finds the database at leisure.
  const burstPlans = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.burstPiece,
    parallel: 1,
    flush: planAndRest,
  })
  // They may wait for their locks, so they wait behind others like them alone, and for so short that their jobs leave room.
  const plansOfHeldUp = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.batch,
    parallel: 1,
    flush: planHeldUp,
  })
  const takeTurn = createTurns(() => performance.now())

  const gatherWith = async (gathering: Pick<typeof plans, 'add'>, event: TracedEvent): Promise<Planned> =>
    await (isHeldUp(event) ? plansOfHeldUp : gathering).add(event)

  async function planBurst(event: TracedEvent): Promise<Planned> {
    for (;;) {
      const planned = await gatherWith(burstPlans, event)
      if (planned.left === undefined) return planned
    }
  }

  /** A lead to many webhooks is a burst of deliveries: what is left of it goes on where bursts do, behind whoever has little. */
  async function planAtOnce(events: readonly TracedEvent[]): Promise<Planned[]> {
    const planned = await Promise.all(events.map(async (event) => await gatherWith(plans, event)))
    const left = planned.flatMap((one) => one.left ?? [])
    if (left.length === 0) return planned
    const turns = takeTurns(left)
    const published = await Promise.all(
      [...Map.groupBy(left, ({ id }) => turns.get(id) ?? 1)].map(
        async ([turn, events]) => await context.events.publish(events, { turn, mark: 'now' }),
      ),
    )
    if (published.every((isTaken) => isTaken)) return planned
    return await Promise.all(
      planned.map(async (one, index) => {
        if (one.left === undefined) return one
        const { id } = one.left
        return await planBurst({ event_id: id, turn: turns.get(id) ?? 1, trace: events[index]?.trace })
      }),
    )
  }

  /** Each client's deliveries take turns of his own, whoever else's came in the same job. */
  function takeTurns(left: readonly LeftEvent[]): Map<string, number> {
    const turns = new Map<string, number>()
    for (const [client, events] of Map.groupBy(left, (event) => event.client_user_id)) {
      const size = events.reduce((sum, event) => sum + event.size, 0)
      const turn = Math.max(1, takeTurn(client ?? '', size))
      for (const { id } of events) turns.set(id, turn)
    }
    return turns
  }

  async function planDeliveriesOfEvents(job: Parameters<Stage>[0]): ReturnType<Stage> {
    const { event_id: first, further_event_ids: further = [], heard = [] } = eventJobSchema.parse(job.data)
    const turn = job.opts.priority ?? 0
    const trace = context.tracing.carry()
    const ids = [first, ...further]
    const events = ids.map((id, index): TracedEvent => ({ event_id: id, turn, trace, heard: heard[index] }))
    const planned = turn === 0 ? await planAtOnce(events) : await Promise.all(events.map(planBurst))
    const refused = planned.find(({ failure }) => failure !== undefined)?.failure
    if (refused === undefined) return { next: 'done' }
    if (further.length > 0) {
      await separate(events.filter((_event, index) => planned[index]?.failure !== undefined))
      return { next: 'done' }
    }
    if (isLockTimeout(refused)) throw refused
    const hasEnded = await noteEventFailure(context.db, first, MOST_OWN_FAILURES)
    if (hasEnded) return { next: 'given_up', cause: refused }
    throw refused
  }

  return { planDeliveries: planDeliveriesOfEvents }
}
