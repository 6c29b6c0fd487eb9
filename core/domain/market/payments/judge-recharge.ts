/**
 * An account with its auto-recharge on, and the sum of its charges since the first of the month in its zone; amounts in
 * cents.
 */
export interface RechargeToJudge {
  balance: number
  threshold: number
  /** the lowest price that an order may pay for a lead, if the client agreed to a charge below it; otherwise null */
  cheapest: number | null
  amount: number
  monthlyMax: number
  chargedThisMonth: number
}

/** Whether it charges now: never past the monthly maximum, not even partly. */
export function judgeRecharge(account: RechargeToJudge): 'charge' | 'enough' | 'month_used' {
  const { balance, threshold, cheapest, amount, monthlyMax, chargedThisMonth } = account
  if (balance >= Math.max(threshold, cheapest ?? 0)) return 'enough'
  return chargedThisMonth + amount > monthlyMax ? 'month_used' : 'charge'
}

/** It is switched off after this many failures in a row. */
export const MOST_RECHARGE_FAILURES = 2
/** Hours that it waits after the first failure. */
export const HOURS_AFTER_FAILURE = 6

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds until the provider is asked again for the outcome of a charge; the last value repeats. */
const WAITS = [5, 30, 2 * MINUTE, 10 * MINUTE, HOUR]
/**
 * The provider forgets a key after 24 hours, and would charge again under it. After this limit no request uses the key
 * any more.
 */
const KEY_SECONDS = 20 * HOUR
/** A bank debit takes days, at most two weeks. */
const SELDOM = 6 * HOUR
const LONGEST_DEBIT = 14 * 24 * HOUR
/** Seconds in which an abandoned request may still reach the provider. */
const LATEST_ARRIVAL = 2 * MINUTE

/**
 * Whether a charge may be requested, under its key.
 * @param age seconds since it was begun
 */
export function mayAskForCharge(age: number): boolean {
  return age <= KEY_SECONDS
}

/**
 * Whether no earlier request for this charge can arrive any more, so that a charge unknown to the provider was not
 * made.
 * @param asks number of requests, including this one
 */
export function isAnswerFinal(asks: number): boolean {
  return asks === 1 || waitAfter(asks - 1) >= LATEST_ARRIVAL
}

/**
 * Seconds until the provider is asked again. Undefined once the requests end and an administrator decides. That is so
 * if the outcome stayed unknown for as long as the provider knows the key, or for two weeks if it has named the charge.
 * @param asks number of requests so far
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
