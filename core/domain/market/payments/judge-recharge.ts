/** An account whose auto-recharge is on, and what was charged by it since the first of the month in its zone; amounts in cents. */
export interface RechargeToJudge {
  balance: number
  threshold: number
  /** the least that an order may pay for a lead, where the client agreed to a charge below it; else null */
  cheapest: number | null
  amount: number
  monthlyMax: number
  chargedThisMonth: number
}

/** Whether it charges now: never past the monthly maximum, not even in part. */
export function judgeRecharge(account: RechargeToJudge): 'charge' | 'enough' | 'month_used' {
  const { balance, threshold, cheapest, amount, monthlyMax, chargedThisMonth } = account
  if (balance >= Math.max(threshold, cheapest ?? 0)) return 'enough'
  return chargedThisMonth + amount > monthlyMax ? 'month_used' : 'charge'
}

/** After so many in a row it is switched off. */
export const MOST_RECHARGE_FAILURES = 2
/** It waits so many hours after the first. */
export const HOURS_AFTER_FAILURE = 6

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds until the provider is asked again what became of a charge; the last one goes on. */
const WAITS = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR]
/** The provider forgets a key after 24 hours, and would charge again under it: by then nobody asks under it any more. */
const KEY_SECONDS = 20 * HOUR
/** A bank debit takes days, and none takes longer than two weeks. */
const SELDOM = 6 * HOUR
const LONGEST_DEBIT = 14 * 24 * HOUR
/** A request that nobody waits for any more may still reach the provider for so long. */
const LATEST_ARRIVAL = 2 * MINUTE

/** Whether a charge may be asked for, under its key. @param age seconds since it was begun */
export function mayAskForCharge(age: number): boolean {
  return age <= KEY_SECONDS
}

/**
 * Whether an earlier request for this charge can no longer arrive, so that what the provider does not know of was not charged.
 * @param asks how often it was asked, this time included
 */
export function isAnswerFinal(asks: number): boolean {
  return asks === 1 || waitAfter(asks - 1) >= LATEST_ARRIVAL
}

/**
 * Seconds until the provider is asked again. Undefined once nobody asks any more and an administrator decides: the answers said nothing of
 * the outcome for as long as the provider knows the key, or for two weeks if it has named the charge.
 * @param asks how often it was asked
 * @param age seconds since the charge was begun
 */
export function secondsToNextAsk(asks: number, age: number, isNamed: boolean): number | undefined {
  const wait = waitAfter(asks)
  const longest = isNamed ? LONGEST_DEBIT : KEY_SECONDS
  if (age + wait > longest) return undefined
  return age > 24 * HOUR ? SELDOM : wait
}

/** Seconds until the next try, by the number of tries. */
export function waitAfter(asks: number): number {
  return WAITS[Math.min(asks, WAITS.length) - 1] ?? MINUTE
}
