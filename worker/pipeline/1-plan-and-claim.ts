import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { MOST_PLAIN, planSomeDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import { createChoiceReader } from '#core/use-cases/planning/read-choices.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { failpoint } from '#core/failpoints.ts'
import { noteLeads, type FanOut } from '#core/fairness/fan-out.ts'
import { FAN_OUT, PLANS } from '#core/fairness/limits.ts'
import type { WorkerContext } from '../context.ts'
import type { AnnounceDue } from '../dispatch/announce-due.ts'
import type { LowPriorityLimiter } from '../dispatch/limit-low-priority.ts'
import type { Traces } from '../dispatch/keep-traces.ts'
import type { Dispatcher } from '../dispatch/open-dispatcher.ts'
import { createForecast } from '../dispatch/predict-deliveries.ts'
import type { Reservation } from '../dispatch/reserve-slots.ts'
import type { Planned, PlanTogether, TracedEvent } from './1-isolate-failing-events.ts'

/** The parts that are told about planned deliveries. */
export interface PlanningParts {
  announceDue: AnnounceDue
  dispatcher: Pick<Dispatcher, 'reserve' | 'leaseSeconds'>
  traces: Pick<Traces, 'keep'>
  lowPriority: Pick<LowPriorityLimiter, 'noteAboveShare'>
  fanOut: Pick<FanOut, 'note' | 'beyond'>
}

/**
 * Plans events together, all or none. The same statement claims the deliveries that have a reserved slot, and they are
 * sent at once. The dispatcher is notified of the others (docs/decisions/0032).
 */
export function createPlanAndClaim(
  context: Pick<WorkerContext, 'db' | 'metrics'>,
  parts: PlanningParts,
): PlanTogether {
  const { announceDue, dispatcher, lowPriority, fanOut } = parts
  const readChoices = createChoiceReader(context.db)
  const forecast = createForecast(() => performance.now())

  async function plan(...[events, { patienceMs, mayClaim }]: Parameters<PlanTogether>): Promise<Planned[]> {
    await failpoint('before-plan')
    context.metrics.observeBatch('plan', events.length)
    const isForeseen = mayClaim && events.length <= MOST_PLAIN
    const reservation = dispatcher.reserve(isForeseen ? forecast.predict(events) : [])
    try {
      return await planFor(events, reservation, patienceMs)
    } catch (error) {
      if (error instanceof Error && (isLockTimeout(error) || isRefused(error))) reservation.begin([])
      else void reservation.recover(events.map(({ event_id: id }) => id))
      throw error
    }
  }

  async function planFor(
    events: readonly TracedEvent[],
    reservation: Pick<Reservation, 'slots' | 'begin'>,
    patienceMs: number,
  ): Promise<Planned[]> {
    const most = {
      all: PLANS.deliveries,
      ofClient: PLANS.deliveriesOfClient,
      ofLead: FAN_OUT.ofLead,
      spreading: fanOut.beyond(),
    }
    // Each delivery continues the trace of its own event, whichever event started this batch.
    const traces = new Map(events.map(({ event_id: id, trace }) => [id, trace]))
    const deliveries: Array<DueDelivery & { event_id: string }> = []
    const { left, notPlain } = await planSomeDeliveries(context.db, events, most, {
      readChoices,
      isPlain: forecast.isPlain,
      claim: { slots: reservation.slots, leaseSeconds: dispatcher.leaseSeconds },
      patienceMs,
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
    forecast.note(events, deliveries, notPlain)
    const leftById = new Map(left.map((event) => [event.id, event]))
    const made = Map.groupBy(deliveries, (delivery) => delivery.event_id)
    return events.map(({ event_id: id }) => ({
      failure: undefined,
      left: leftById.get(id),
      made: made.get(id)?.length ?? 0,
    }))
  }

  /** Notes clients that bring many deliveries, by a burst or through many webhooks. */
  function noteMany(due: ReadonlyArray<DueDelivery & { event_id: string }>): void {
    for (const { turn, client_user_id: client } of due) if (turn > 0) lowPriority.noteAboveShare(client)
    noteLeads(fanOut, due)
  }

  return plan
}
