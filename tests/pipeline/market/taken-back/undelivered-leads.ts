import { sql } from 'kysely'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import type { Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { drain, givenConfig, type TestPipeline } from '#tests/support/given/pipeline.ts'

export type Policy = 'keep' | 'return' | 'reoffer'
interface LeadNow {
  status: string
  assigned_to: string | null
  had: unknown
  told: string[]
}

/** Sells leads to clients whose webhooks accept or refuse them. */
export function undeliveredLeads(
  pipeline: () => TestPipeline,
  crm: () => Receiver,
): {
  givenBuyerOf: (
    state: string,
    policy: Policy,
    paths: readonly string[],
    fields?: { priority?: number; total_cap?: number },
  ) => Promise<string>
  offer: (state: string) => Promise<string>
  read: (lead: string) => Promise<LeadNow | undefined>
  settle: () => Promise<void>
  waitForStatus: (lead: string, status: string) => Promise<void>
} {
  /** Creates a client who alone buys all leads of this state, with webhooks at these paths. */
  async function givenBuyerOf(
    state: string,
    policy: Policy,
    paths: readonly string[],
    fields: { priority?: number; total_cap?: number } = {},
  ): Promise<string> {
    const { context, db } = pipeline()
    const client = await givenBuyer(db)
    await givenOrder(db, client, { states: [state], when_undelivered: policy, ...fields })
    for (const path of paths)
      await givenConfig(context, client, {
        endpoint_url: `${crm().url}${path}`,
        trigger_on_lead_assigned: true,
        success_rule: { rejected: { path: 'result', equals: 'no' } },
      })
    return client
  }

  async function offer(state: string): Promise<string> {
    const { context, db } = pipeline()
    const [lead = ''] = await givenOffers(db, [{ state }])
    await context.events.publish(await findEventsToEnqueueOfLeads(db, [lead]), { mark: 'now' })
    return lead
  }

  /** Reads a lead, its holders, their deliveries and the money. */
  async function read(lead: string) {
    const { rows } = await sql<LeadNow>`
      select l.status, l.assigned_to, (
          select jsonb_agg(jsonb_build_array(a.client_user_id, a.state, p.balance::text) order by a.id)
          from lead_assignments a join profiles p on p.user_id = a.client_user_id where a.lead_id = l.id) as had,
        (select array_agg(e.type order by e.created_at, e.id) from events e where e.lead_id = l.id and e.type like 'lead.return%') as told
      from leads l where l.id = ${lead}`.execute(pipeline().db)
    return rows[0]
  }

  async function waitForStatus(lead: string, status: string): Promise<void> {
    await waitUntil(async () => (await read(lead))?.status === status, {
      what: `A lead being ${status}`,
      timeoutMs: 30_000,
    })
  }

  /** Waits until nothing is in flight and every failure was checked; postponed checks do not count. */
  async function settle(): Promise<void> {
    await drain(pipeline().context)
    const { db } = pipeline()
    await waitUntil(
      async () => {
        const { numUpdatedRows } = await db
          .updateTable('undelivered_leads')
          .set({ due_at: sql<Date>`now()` })
          .executeTakeFirst()
        return Number(numUpdatedRows) === 0
      },
      { what: 'Every note being looked at', timeoutMs: 30_000, intervalMs: 500 },
    )
  }

  return { givenBuyerOf, offer, read, settle, waitForStatus }
}
