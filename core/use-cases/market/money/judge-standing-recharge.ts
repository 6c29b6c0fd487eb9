import type { StandingRecharge } from '#core/data/market/payments/recharge-wish.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { judgeRecharge } from '#core/domain/market/payments/judge-recharge.ts'

/** Judges whether a client's auto-recharge charges now, as the client agreed; `off` if it may charge nothing. */
export function judgeStandingRecharge({
  balance,
  recharge: wish,
}: StandingRecharge): 'charge' | 'enough' | 'month_used' | 'off' {
  if (wish === null) return 'off'
  return judgeRecharge({
    balance: requireCents(balance),
    threshold: requireCents(wish.threshold),
    cheapest: wish.cheapest === null ? null : requireCents(wish.cheapest),
    amount: requireCents(wish.amount),
    monthlyMax: requireCents(wish.monthly_max),
    chargedThisMonth: requireCents(wish.charged_this_month),
  })
}
