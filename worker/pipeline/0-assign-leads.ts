import { assignLeads, MOST_LEADS } from '#core/market/assign-leads.ts'
import type { Sale } from '#core/data/market/sale/record-decisions.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { findEventsById, findLeadsOfEvents, noteEventFailure } from '#core/data/outbox/events.ts'
import { failpoint } from '#core/failpoints.ts'
import { createBatcher } from '#core/pace/batch.ts'
import { eventJobSchema } from '#core/queue/queues.ts'
import type { WorkerContext } from '../context.ts'
import { MOST_OWN_FAILURES, type Stage } from '../queues/run-stage.ts'

/** Who gets leads, once for all that need it. Undefined where one was decided, or needed no decision; else why PostgreSQL refused it. */
export type Assign = (leadId: string) => Promise<Error | undefined>

/**
 * Gathers leads for the decision: those of one type wait for each other anyway, and many cost little more than one. Whoever hears of
 * `lead.assigned` hears at once.
 */
export function createAssign(context: Pick<WorkerContext, 'market' | 'events' | 'metrics'>): Assign {
  async function assign(leadIds: readonly string[]): Promise<(Error | undefined)[]> {
    context.metrics.observeBatch('assign', leadIds.length)
    const sales = await assignLeads(context.market, leadIds)
    await failpoint('after-assign')
    await context.events.publish(sales.map(tell))
    return leadIds.map(() => undefined)
  }

  /** What PostgreSQL refuses for its content must not keep its neighbours from being sold. */
  async function assignTogether(leadIds: readonly string[]): Promise<(Error | undefined)[]> {
    try {
      return await assign(leadIds)
    } catch (error) {
      if (!(error instanceof Error && isRefused(error))) throw error
      if (leadIds.length === 1) return [error]
    }
    const failures: (Error | undefined)[] = []
    for (const id of leadIds) failures.push(...(await assignTogether([id])))
    return failures
  }

  const gathering = createBatcher<string, Error | undefined>({
    maxSize: MOST_LEADS,
    parallel: 1,
    flush: assignTogether,
  })
  return gathering.add
}

/**
 * Consumes: lead-offered (the ids of an event and of those that came with it).
 * Emits: lead.assigned for each lead that is sold.
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
    const offers = await findLeadsOfEvents(context.db, [first, ...further])
    const failures = await Promise.all(offers.map(({ lead_id: id }) => assign(id)))
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

function tell({ event_id: id, client_user_id }: Sale) {
  return { id, type: 'lead.assigned', client_user_id }
}
