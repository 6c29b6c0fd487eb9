/** An account whose auto-recharge is on, and what was charged by it since the first of the month in its zone; amounts in cents. */
export interface RechargeToJudge {
  balance: number
  threshold: number
  amount: number
  monthlyMax: number
  chargedThisMonth: number
}

/** Whether it charges now: never past the monthly maximum, not even in part. */
export function judgeRecharge(account: RechargeToJudge): 'charge' | 'enough' | 'month_used' {
  const { balance, threshold, amount, monthlyMax, chargedThisMonth } = account
  if (balance >= threshold) return 'enough'
  return chargedThisMonth + amount > monthlyMax ? 'month_used' : 'charge'
}

/** After so many in a row it is switched off. */
export const MOST_RECHARGE_FAILURES = 2
/** How long it waits after the first. */
export const HOURS_AFTER_FAILURE = 6

const MINUTE = 60
/** Seconds until the provider is asked again what became of a charge; the last one goes on. */
const WAITS = [5, 30, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE]

/**
 * Seconds until it is asked again; undefined where it may not be any more: the provider knows a key for 24 hours, and under a forgotten
 * one it would charge again.
 * @param asks how often it was asked
 * @param age seconds since the charge was begun
 */
export function secondsToNextAsk(asks: number, age: number): number | undefined {
  const wait = WAITS[Math.min(asks, WAITS.length) - 1] ?? MINUTE
  return age + wait > 20 * 60 * MINUTE ? undefined : wait
}
