import { assignLeads, MOST_LEADS } from '#core/market/assign-leads.ts'
import type { EventToPlan } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, findOffers, noteEventFailure } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES, type Stage } from '../queues/run-stage.ts'
import type { Planning } from './1-plan-deliveries.ts'

/** A lead that is to be sold, and events of it that are planned with its sale. */
interface Offer {
  lead: string
  alongside: readonly EventToPlan[]
  trace: string | undefined
}

/** Who gets leads, once for all that need it. Undefined where one was decided, or needed no decision; else why PostgreSQL refused it. */
export type Assign = (lead: string, alongside?: readonly EventToPlan[]) => Promise<Error | undefined>

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
  async function assign(offers: readonly Offer[]): Promise<Decided[]> {
    context.metrics.observeBatch('assign', offers.length)
    const sales = await assignLeads(
      context.market,
      offers.map(({ lead }) => lead),
    )
    await failpoint('after-assign')
    const sold = Map.groupBy(sales, (sale) => sale.lead_id)
    const planned = planNow(
      offers.flatMap(({ lead, alongside, trace }) => [
        ...alongside.map((event) => ({ ...event, trace })),
        ...(sold.get(lead) ?? []).map(({ event_id }) => ({ event_id, turn: 0, trace })),
      ]),
    )
    return offers.map(() => ({ failure: undefined, planned }))
  }

  /** What PostgreSQL refuses for its content must not keep its neighbours from being sold. */
  async function assignTogether(offers: readonly Offer[]): Promise<Decided[]> {
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

  const gathering = createBatcher<Offer, Decided>({
    maxSize: MOST_LEADS,
    parallel: 1,
    flush: assignTogether,
  })
  return async (lead, alongside = []) => {
    const { failure, planned } = await gathering.add({ lead, alongside, trace: context.tracing.carry() })
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
    const offers = await findOffers(context.db, [first, ...further])
    const failures = await Promise.all(
      offers.map(({ lead_id: lead, created_id: id }) =>
        assign(lead, id === null ? [] : [{ event_id: id, turn }]),
      ),
    )
    const refused = failures.find((failure) => failure !== undefined)
    if (refused === undefined) return { next: 'done' }
    if (further.length > 0) {
      await separate(offers.flatMap(({ id }, index) => (failures[index] === undefined ? [] : [id])))
      return { next: 'done' }
    }
    const hasEnded = await noteEventFailure(context.db, first, MOST_OWN_FAILURES)
    if (hasEnded) return { next: 'given_up', cause: refused }
    throw refused
  }
}
