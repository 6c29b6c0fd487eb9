import { scheduleSchema } from '#core/contract/market/schedule.ts'
import type { OrderRow, PriceRow } from '#core/data/market/sale/candidate-orders.ts'
import { openZipArea } from '#core/domain/market/orders/zip-area.ts'
import { findPlace } from '#core/zip-table/zip-table.ts'
import { keyOfPrice, type PriceList } from '#core/domain/market/find-price.ts'
import type { AccountToJudge } from '#core/domain/market/orders/judge-order.ts'
import type { BookedOrder } from '#core/domain/market/choice/order-book.ts'

/** An order in the form in which it is decided about. */
export interface CandidateOrder extends BookedOrder {
  account: AccountToJudge
}

export const NO_PRICES: PriceList = { price: Infinity, floor: Infinity, exceptions: new Map() }

export function shapeOrder(row: OrderRow, account: AccountToJudge, prices: PriceList): CandidateOrder {
  const {
    is_active: _is,
    licensed_states: _in,
    balance: _has,
    zip_codes,
    near_zip,
    near_miles,
    ...order
  } = row
  const { day, day_leads, day_spent, week, week_leads, month, month_leads, month_spent, total_leads } = row
  return {
    ...order,
    account,
    prices,
    schedule: readSchedule(row.schedule),
    area: openZipArea({ zip_codes, near_zip, near_miles }, findPlace),
    tally: { day, day_leads, day_spent, week, week_leads, month, month_leads, month_spent, total_leads },
  }
}

/** A schedule that cannot be read is never open: its order must not keep others from being asked. */
function readSchedule(stored: unknown): CandidateOrder['schedule'] {
  return stored === null ? null : (scheduleSchema.safeParse(stored).data ?? {})
}

export function shapePrices({ price, floor, exceptions }: PriceRow): PriceList {
  const said = (exceptions ?? []).map((one) => [keyOfPrice(one.client, one.state), one.price] as const)
  return { price, floor, exceptions: new Map(said) }
}
