import { randomUUIDv7 } from 'node:crypto'
import type { OrderEstimate, OrderEstimateRequest } from '#core/contract/market/order.ts'
import { readInheritedTerms } from '#core/data/market/admin-orders.ts'
import { COUNTED_LEADS, countFittingLeads } from '#core/data/market/estimate-leads.ts'
import { findPlace, listZipsNear } from '#core/zip-table/zip-table.ts'
import { openCircle } from '#core/domain/market/orders/zip-area.ts'
import { UNSOLD_STATES } from '#core/domain/leads/us-states.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { findPriceRange } from '#core/domain/market/orders/describe-order.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { readPrices, requireMarketOfClient } from './describe-orders.ts'
import { findTypeFaults, refuse } from './save-order.ts'

const ESTIMATED_DAYS = 7
const DAY_MS = 86_400_000

/**
 * Counts the leads that an order could have had, and says what its next ones cost.
 * @throws AppError validation_failed for an unknown lead type
 */
export async function estimateOrder(
  context: ServerContext,
  caller: Pick<Principal, 'user_id' | 'member_role'>,
  wanted: OrderEstimateRequest,
): Promise<OrderEstimate> {
  const { user_id } = caller
  const market = await requireMarketOfClient(context, caller)
  refuse(findTypeFaults(wanted.lead_type, market))
  const [count, inherited] = await Promise.all([
    countFittingLeads(context.db, wanted, {
      licensed: market.account.licensed_states,
      unsold: UNSOLD_STATES,
      near: listNear(wanted),
      since: uuidAt(new Date(Date.now() - ESTIMATED_DAYS * DAY_MS), randomUUIDv7()),
    }),
    // A new order keeps the price that administrators decided for the client.
    readInheritedTerms(context.db, user_id, wanted.lead_type),
  ])
  const own = inherited?.price ?? null
  const { lowest, highest } = findPriceRange({
    client_user_id: user_id,
    states: wanted.states,
    price: own === null ? null : requireCents(own),
    prices: readPrices(market, wanted.lead_type),
    account: market.account,
  })
  return {
    leads: Math.min(count, COUNTED_LEADS),
    more: count > COUNTED_LEADS,
    days: ESTIMATED_DAYS,
    price: formatCents(lowest),
    highest_price: formatCents(highest),
  }
}

function listNear({ near_zip: zip, near_miles: miles }: OrderEstimateRequest): string[] {
  const centre = zip === null ? undefined : findPlace(zip)
  return centre === undefined || miles === null ? [] : listZipsNear(openCircle(centre, miles))
}
