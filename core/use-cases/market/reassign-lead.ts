import { TAKEN_BACK } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'
import {
  findOrderToFill,
  putUpForSale,
  readMovable,
  readSaleOutcome,
  type MovableLead,
} from '#core/data/market/sale/moved-leads.ts'
import { lockLeadTypes } from '#core/data/market/sale/offered-leads.ts'
import type { Sale } from '#core/data/market/sale/record-decisions.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { REFUSAL_WORDS } from '#core/domain/market/refusal-words.ts'
import { AppError } from '#core/errors.ts'
import { failpoint } from '#core/failpoints.ts'
import { lockOffered } from './lock-offered.ts'
import { createOrderCache } from './order-cache.ts'
import type { Market } from './market.ts'
import { sellLeads } from './sell-leads.ts'
import { takeLeadBack } from './take-lead-back.ts'

/** The lead is sold in the same transaction, so an hour is more than enough. */
const OFFERED_HOURS = 1

/** A lead that was moved, and the money that moved with it. */
export interface Reassigned {
  sale: Sale
  /** dollars that its new client paid */
  price: string
  /** its former client, and what was credited; null if nobody had it */
  before: { client_user_id: string; credited: string } | null
}

/**
 * Gives a lead to another order, in one transaction with all money: its client gets the price back, the order's client
 * pays its own. The order is judged as for any sale: suppression, duplicates, licences, caps, funds. If it may not have
 * the lead, nothing changes. Both clients are told.
 * @param note writes further facts in the same transaction
 * @throws AppError not_found, conflict
 */
export async function reassignLead(
  market: Market,
  wish: { lead_id: string; order_id: string; by: string },
  note: (trx: Db, moved: Reassigned) => Promise<void>,
): Promise<Reassigned> {
  try {
    return await repeatOnConflict(() => market.transact((trx) => reassign(trx, market, wish, note)))
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new AppError('conflict', 'This order is being changed at this moment. Try again.')
  }
}

async function reassign(
  trx: Db,
  market: Market,
  { lead_id, order_id, by }: { lead_id: string; order_id: string; by: string },
  note: (trx: Db, moved: Reassigned) => Promise<void>,
): Promise<Reassigned> {
  const offers = { leads: [lead_id], events: [], isByHand: true }
  // The locks are taken in the order of every sale: type, lead, orders, balances.
  await lockLeadTypes(trx, offers)
  await lockLead(trx, lead_id)
  const lead = await readMovable(trx, lead_id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  const order = await findOrderToFill(trx, order_id)
  refuseMove(lead, order_id, order)
  const before = await empty(trx, lead_id, lead, by)
  await putUpForSale(trx, lead_id, OFFERED_HOURS)
  const { leads } = await lockOffered(trx, offers, market)
  // A cache of its own: this transaction has moved money, which must not stay in the shared one if it rolls back.
  const own = { ...market, orderCache: createOrderCache() }
  const read = await own.orderCache.refresh(trx)
  const attempt = { isPatient: true, writesEarly: false, isEarlyRefused: false }
  const [sale] = await sellLeads(trx, own, { leadIds: [lead_id], leads, read, only: order_id }, attempt)
  const { reason, price } = (await readSaleOutcome(trx, lead_id)) ?? { reason: null, price: null }
  if (sale === undefined || price === null) throw new AppError('conflict', sayRefusal(reason))
  const moved = { sale, price, before }
  await tellBoth(trx, moved, order?.name ?? '')
  await note(trx, moved)
  await failpoint('before-reassign')
  return moved
}

function refuseMove(
  lead: MovableLead,
  orderId: string,
  order: { lead_type: string } | undefined,
): asserts order is { lead_type: string } {
  if (order === undefined) throw new AppError('conflict', 'This order does not exist any more.')
  if (order.lead_type !== lead.lead_type)
    throw new AppError('conflict', 'This order is for leads of another type.')
  if (lead.holder?.order_id === orderId) throw new AppError('conflict', 'This order has the lead already.')
  refuseUnsellable(lead)
}

/** Refuses leads that the market may never sell. @throws AppError conflict */
export function refuseUnsellable(lead: MovableLead): void {
  if (lead.is_erased) throw new AppError('conflict', 'The person was erased.')
  if (lead.is_test) throw new AppError('conflict', 'This is a test lead, which is never sold.')
  if (lead.owner !== null)
    throw new AppError('conflict', 'The source of this lead names its client. It cannot be sold to others.')
  if (lead.is_revoked)
    throw new AppError('conflict', 'The person revoked the consent, so the lead is sold to nobody.')
  if (lead.is_withdrawn) throw new AppError('conflict', 'Its source was stopped, so it is sold to nobody.')
}

async function empty(
  trx: Db,
  lead_id: string,
  { holder }: MovableLead,
  by: string,
): Promise<Reassigned['before']> {
  if (holder === null) return null
  const { assignment_id, client_user_id } = holder
  const taking = { reason: TAKEN_BACK, by, state: 'revoked' } as const
  const taken = await takeLeadBack(trx, { lead_id, assignment_id, client_user_id }, taking)
  if (taken === 'account_erased')
    throw new AppError('conflict', 'The account of its client was erased: nobody has the balance.')
  if (taken === 'not_held') throw new AppError('conflict', 'Its client does not hold the lead any more.')
  return { client_user_id, credited: taken.credited }
}

async function tellBoth(trx: Db, { sale, price, before }: Reassigned, order_name: string): Promise<void> {
  const { lead_id, client_user_id, assignment_id } = sale
  if (before !== null) {
    const { client_user_id: former, credited } = before
    const taken = { template: 'lead_taken_back', data: { lead_id, amount: credited } } as const
    await tellClient(trx, former, taken, assignment_id)
    const data = { reason: TAKEN_BACK, credited: Number(credited) }
    await writeClientEvents(trx, [{ type: 'lead.reassigned', client_user_id: former, lead_id, data }])
  }
  const given = { template: 'lead_given', data: { lead_id, amount: price, order_name } } as const
  await tellClient(trx, client_user_id, given, assignment_id)
}

function sayRefusal(reason: string | null): string {
  // For a single order, this is the reason if it does not take the lead's state.
  const why = reason === 'no_matching_order' ? 'state' : (reason ?? '')
  const words = REFUSAL_WORDS[why] ?? 'It may not have this lead'
  return `Nothing was moved, because this order cannot get the lead. ${words}.`
}
