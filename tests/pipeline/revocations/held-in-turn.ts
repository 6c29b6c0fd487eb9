import { findLeadsOfPerson } from '#core/data/leads/revocations/find-revocable.ts'
import { listHolders } from '#core/data/leads/revocations/list-revocations.ts'
import { applyRevocation } from '#core/use-cases/revocations/apply-revocation.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { reassignLead } from '#core/use-cases/market/reassign-lead.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import type { TestPipeline } from '#tests/support/given/pipeline.ts'
import { noteRevocationReceipts } from '#worker/housekeeping/notices/note-receipts.ts'

export const ADMINISTRATOR = '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a09'

/** Sells a lead to a first client, and moves it on to a second and a third. */
export async function givenHeldInTurn({ db, context }: TestPipeline, phone: string) {
  const state = freshState()
  const clients = [await givenBuyer(db), await givenBuyer(db), await givenBuyer(db)] as const
  const orders = []
  for (const [index, client] of clients.entries())
    orders.push(await givenOrder(db, client, { states: [state], priority: index + 1 }))
  const [lead = ''] = await givenOffers(db, [{ state, phone }])
  await assignLeads(context.market, [lead])
  for (const order_id of orders.slice(1))
    await reassignLead(context.market, { lead_id: lead, order_id, by: ADMINISTRATOR }, async () => {})
  return { lead, clients }
}

/** The person revokes consent with a code. */
export async function revoke({ db, context }: TestPipeline, phone: string) {
  const contacts = { phones: [phone], emails: [] }
  const leads = await findLeadsOfPerson(db, contacts, { everybody: true })
  const person = { contacts, leads, foundAt: new Date() }
  const origin = { reported_by: 'consumer', reach: 'everybody', proof: 'sms' } as const
  const done = await db.transaction().execute((trx) => applyRevocation(context.market, trx, origin, person))
  await context.events.publish(done?.events ?? [])
  return done
}

/** The holders of a revocation by client, after a look for receipts. */
export async function receiptsOf({ db }: Pick<TestPipeline, 'db'>, id: string) {
  await noteRevocationReceipts({ db })
  const holders = await listHolders(db, id)
  return new Map(holders.map((holder) => [holder.client.user_id, holder]))
}
