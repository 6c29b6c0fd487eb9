import { assignOffers, MOST_LEADS } from '#core/market/assign-leads.ts'
import type { EventToPlan } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, noteEventFailure } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { Stage } from '../queues/run-stage.ts'
import type { Planning } from './1-plan-deliveries.ts'

/** What is to be decided about: a lead, or one that an event offers; its `lead.created` is planned with it, in its turn. */
export type Offer = { lead: string } | { event: EventToPlan }
type TracedOffer = Offer & { trace: string | undefined }

/** Who gets leads, once for all that need it. Undefined where one was decided, or needed no decision; else why PostgreSQL refused it. */
export type Assign = (offer: Offer) => Promise<Error | undefined>

/** What became of an offer, and when its deliveries, and those of its neighbours, are planned. */
interface Decided {
  failure: Error | undefined
  planned: Promise<void>
}

/**
 * Gathers leads for the decision: those of one type wait for each other anyway, and many cost little more than one. What is sold is
 * planned by this worker, while it decides about the next.
 */
export function createAssign(
  context: Pick<WorkerContext, 'market' | 'metrics' | 'tracing'>,
  planNow: Planning['planNow'],
): Assign {
  async function assign(offers: readonly TracedOffer[]): Promise<Decided[]> {
    context.metrics.observeBatch('assign', offers.length)
    const { sales, offers: events } = await assignOffers(context.market, {
      leads: offers.flatMap((offer) => ('lead' in offer ? offer.lead : [])),
      events: offers.flatMap((offer) => ('event' in offer ? offer.event.event_id : [])),
    })
    await failpoint('after-assign')
    const sold = Map.groupBy(sales, (sale) => sale.lead_id)
    const told = new Map(events.map((event) => [event.id, event]))
    const planned = planNow(
      offers.flatMap((offer) => {
        const { trace } = offer
        const event = 'event' in offer ? told.get(offer.event.event_id) : undefined
        const lead = 'lead' in offer ? offer.lead : event?.lead_id
        const created = event?.created_id ?? null
        const turn = 'event' in offer ? offer.event.turn : 0
        return [
          ...(created === null ? [] : [{ event_id: created, turn, trace }]),
          ...(sold.get(lead ?? '') ?? []).map(({ event_id: id }) => ({ event_id: id, turn, trace })),
        ]
      }),
    )
    return offers.map(() => ({ failure: undefined, planned }))
  }

  /** What PostgreSQL refuses for its content must not keep its neighbours from being sold. */
  async function assignTogether(offers: readonly TracedOffer[]): Promise<Decided[]> {
    try {
      return await assign(offers)
    } catch (error) {
      if (!(error instanceof Error && isRefused(error))) throw error
      if (offers.length === 1) return [{ failure: error, planned: Promise.resolve() }]
    }
    const decided: Decided[] = []
    for (const offer of offers) decided.push(...(await assignTogether([offer])))
    return decided
  }

  const gathering = createBatcher<TracedOffer, Decided>({
    maxSize: MOST_LEADS,
    parallel: 1,
    flush: assignTogether,
  })
  return async (offer) => {
    const { failure, planned } = await gathering.add({ ...offer, trace: context.tracing.carry() })
    await planned
    return failure
  }
}

/**
 * Consumes: lead-offered (the ids of an event and of those that came with it).
 * Emits: lead.assigned for each lead that is sold, and the deliveries of that and of lead.created, by the next stage within this job.
 * Safe to run twice because: a lead that somebody has is left alone, and the offer is marked in the transaction that decides. A lead that
 * PostgreSQL refuses is marked after MOST_OWN_FAILURES tries, and its job kept.
 */
export function createAssignLeads(context: WorkerContext, assign: Assign): Stage {
  /** What is refused goes on in a job of its own, which fails and ends without the others. */
  async function separate(ids: readonly string[]): Promise<void> {
    const events = await findEventsById(context.db, ids)
    if (await context.events.publish(events, { mark: 'now', apart: true })) return
    throw new Error('Redis did not take the events that are refused')
  }

  return async function assignLeadsOfEvents(job) {
    const { event_id: first, further_event_ids: further = [] } = eventJobSchema.parse(job.data)
    const turn = job.opts.priority ?? 0
    const ids = [first, ...further]
    const failures = await Promise.all(ids.map((id) => assign({ event: { event_id: id, turn } })))
    const refused = failures.find((failure) => failure !== undefined)
    if (refused === undefined) return { next: 'done' }
    if (further.length > 0) {
      await separate(ids.filter((_id, index) => failures[index] !== undefined))
      return { next: 'done' }
    }
    const hasEnded = await noteEventFailure(context.db, first, MOST_OWN_FAILURES)
    if (hasEnded) return { next: 'given_up', cause: refused }
    throw refused
  }
}
