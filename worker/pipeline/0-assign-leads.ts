import { assignOffers, MOST_LEADS } from '#core/use-cases/market/assign-leads.ts'
import type { EventToPlan } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, noteEventFailure, type OfferEvent } from '#core/data/outbox/events.ts'
import type { Sale } from '#core/data/market/sale/record-decisions.ts'
import { failpoint } from '#core/failpoints.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { Stage } from '../queues/run-stage.ts'

/** A lead to decide about, or an event that offers one, with the priority of the events that follow. */
export type Offer = { lead: string } | { event: EventToPlan }
type TracedOffer = Offer & { trace: string | undefined }

/**
 * Decides who gets a lead. @returns undefined if it was decided or needed no decision; otherwise PostgreSQL's reason
 * for refusing it
 */
export type Assign = (offer: Offer) => Promise<Error | undefined>

/** The result of an offer. `enqueued` resolves when the events of its batch are enqueued, or left to the relay. */
interface Decided {
  failure: Error | undefined
  enqueued: Promise<unknown>
}

/**
 * Gathers leads into batches for the decision: leads of one type wait for each other anyway, and many leads cost little
 * more than one. The events of sold leads are enqueued while the next batch is decided.
 */
export function createAssign(
  context: Pick<WorkerContext, 'events' | 'market' | 'metrics' | 'tracing'>,
): Assign {
  async function assign(offers: readonly TracedOffer[]): Promise<Decided[]> {
    context.metrics.observeBatch('assign', offers.length)
    const { sales, offers: events } = await assignOffers(context.market, {
      leads: offers.flatMap((offer) => ('lead' in offer ? offer.lead : [])),
      events: offers.flatMap((offer) => ('event' in offer ? offer.event.event_id : [])),
    })
    await failpoint('after-assign')
    const enqueued = enqueue(offers, sales, events)
    return offers.map(() => ({ failure: undefined, enqueued }))
  }

  /** `lead.created` has the priority of its offer. This never fails: the relay enqueues what Redis does not take. */
  async function enqueue(
    offers: readonly TracedOffer[],
    sales: readonly Sale[],
    offered: readonly OfferEvent[],
  ): Promise<unknown> {
    const sold = Map.groupBy(sales, (sale) => sale.lead_id)
    const told = new Map(offered.map((event) => [event.id, event]))
    const events = offers.flatMap((offer) => {
      const event = 'event' in offer ? told.get(offer.event.event_id) : undefined
      const lead = 'lead' in offer ? offer.lead : event?.lead_id
      const created = event?.created_id ?? null
      const how = { turn: 'event' in offer ? offer.event.turn : 0, trace: offer.trace }
      return [
        ...(created === null ? [] : [{ id: created, type: 'lead.created', client_user_id: null, ...how }]),
        ...(sold.get(lead ?? '') ?? []).map(({ event_id: id, client_user_id }) => {
          return { id, type: 'lead.assigned', client_user_id, ...how }
        }),
      ]
    })
    // A lead's events continue that lead's own trace, whichever lead started the batch.
    const alike = Map.groupBy(events, ({ turn, trace }) => `${turn} ${trace ?? ''}`)
    return await Promise.all(
      [...alike.values()].map((its) =>
        context.events.publish(its, { turn: its[0]?.turn ?? 0, trace: its[0]?.trace }),
      ),
    )
  }

  /** A lead whose content PostgreSQL refuses must not keep the other leads of its batch from being sold. */
  async function assignTogether(offers: readonly TracedOffer[]): Promise<Decided[]> {
    try {
      return await assign(offers)
    } catch (error) {
      if (!(error instanceof Error && isRefused(error))) throw error
      if (offers.length === 1) return [{ failure: error, enqueued: Promise.resolve() }]
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
    const { failure, enqueued } = await gathering.add({ ...offer, trace: context.tracing.carry() })
    await enqueued
    return failure
  }
}

/**
 * Consumes: lead-offered (the ids of an event and of those that came with it). Emits: lead.assigned for each lead that
 * is sold; lead.assigned and lead.created go to the next stage in jobs (ids of events). Safe to run twice because: a
 * lead with an active assignment is left alone, and the transaction that decides also marks the offer. A lead that
 * PostgreSQL refuses is marked after MOST_OWN_FAILURES tries, and its job is kept.
 */
export function createAssignLeads(context: WorkerContext, assign: Assign): Stage {
  /** Gives each refused event a job of its own, which fails and ends without the others. */
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
