import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#core/concurrency/batch.ts'
import type { LeftEvent } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { PLANS } from '#core/fairness/limits.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { findEventsById, noteEventFailure } from '#core/data/outbox/events.ts'
import type { LowPriorityLimiter } from '../dispatch/limit-low-priority.ts'
import { createPriorities } from '#core/fairness/priorities.ts'
import { CLIENT_EVENT_JOB } from '#core/queue/event-consumers.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { Stage } from '../queues/run-stage.ts'
import { createClientEventPlanning } from './1-plan-client-events.ts'
import { createPlanAndClaim, type PlanningParts } from './1-plan-and-claim.ts'
import { createIsolatedPlanning, type Planned, type TracedEvent } from './1-isolate-failing-events.ts'

/**
 * Consumes: lead-created, lead-assigned, lead-given (the ids of an event and of those that came with it). Emits: one
 * delivery for each matching configuration; held and offered if that is switched off. Safe to run twice because: an event is planned
 * once (planned_at, unique event × configuration), and a superfluous wake-up does no harm. Polling makes up for a lost
 * wake-up (worker/dispatch/poll-for-due.ts). An event that PostgreSQL refuses to plan is marked after MOST_OWN_FAILURES
 * tries, and its job is kept. An event whose rows are locked is tried again until they are free, and delays no others.
 */
export function createPlanning(
  context: WorkerContext,
  parts: PlanningParts & { lowPriority: Pick<LowPriorityLimiter, 'restMs'> },
): { planDeliveries: Stage } {
  const { lowPriority } = parts
  const { planTogether, planHeldUp, isHeldUp } = createIsolatedPlanning(
    context.db,
    createPlanAndClaim(context, parts),
  )

  async function planAndRest(events: readonly TracedEvent[]): Promise<Planned[]> {
    const planned = await planTogether(events)
    const made = planned.reduce((sum, one) => sum + one.made, 0)
    // An event without deliveries costs about as much as a delivery. Mostly only one of a lead's two events has
    // deliveries.
    const least = planned.filter(({ left }) => left === undefined).length / 2
    await sleep(Math.min(lowPriority.restMs(Math.max(made, least)), PLANS.longestRestMs))
    return planned
  }

  /** Gives each refused or held-up event a job of its own, which fails, ends or is repeated without the others. */
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
    flush: planTogether,
  })
  // A burst is planned in small batches, no faster than its deliveries may begin, so that the database has time for
  // single events.
  const burstPlans = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.burstPiece,
    parallel: 1,
    flush: planAndRest,
  })
  // These events may wait for locks. So they are planned only with others like them, and wait only briefly, so that
  // their jobs leave room for others.
  const plansOfHeldUp = createBatcher<TracedEvent, Planned>({
    maxSize: PLANS.batch,
    parallel: 1,
    flush: planHeldUp,
  })
  const takeTurn = createPriorities(() => performance.now())

  const gatherWith = async (gathering: Pick<typeof plans, 'add'>, event: TracedEvent): Promise<Planned> =>
    await (isHeldUp(event) ? plansOfHeldUp : gathering).add(event)

  async function planBurst(event: TracedEvent): Promise<Planned> {
    for (;;) {
      const planned = await gatherWith(burstPlans, event)
      if (planned.left === undefined) return planned
    }
  }

  /**
   * A lead for many webhooks is a burst of deliveries. The rest of it continues at a burst's priority, behind clients
   * with few deliveries.
   */
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

  /**
   * Each client's deliveries get priorities of that client alone, whatever other clients have events in the same job.
   */
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
    const { event_id: first, further_event_ids: further = [], heard } = eventJobSchema.parse(job.data)
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

  const planClientEvents = createClientEventPlanning(context, parts.announceDue)
  return {
    planDeliveries: async (job) =>
      await (job.name === CLIENT_EVENT_JOB ? planClientEvents(job) : planDeliveriesOfEvents(job)),
  }
}
