import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isAnswerFinal,
  judgeRecharge,
  mayAskForCharge,
  secondsToNextAsk,
} from '#core/domain/market/payments/judge-recharge.ts'
import { sayDecline, writeRechargeTerms } from '#core/domain/market/payments/say-recharge.ts'
import { readCharge } from '#core/payments/read-charge.ts'

test('automatic charges never exceed the monthly maximum, and none is made while the balance is above the threshold', () => {
  const cents = fc.integer({ min: 1, max: 100_000 })
  fc.assert(
    fc.property(cents, cents, cents, fc.array(cents), (threshold, amount, monthlyMax, debits) => {
      let [balance, chargedThisMonth] = [0, 0]
      for (const debit of debits) {
        balance -= Math.min(debit, balance)
        const before = balance
        if (
          judgeRecharge({ balance, threshold, cheapest: null, amount, monthlyMax, chargedThisMonth }) !==
          'charge'
        )
          continue
        expect(before).toBeLessThan(threshold)
        balance += amount
        chargedThisMonth += amount
        expect(chargedThisMonth).toBeLessThanOrEqual(monthlyMax)
      }
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  [10_000, 'enough'],
  [9999, 'charge'],
  [-1, 'charge'],
] as const)('a balance of %d under a threshold of 10000 is %s', (balance, verdict) => {
  const account = { threshold: 10_000, cheapest: null, amount: 5000, monthlyMax: 5000 }
  expect(judgeRecharge({ ...account, balance, chargedThisMonth: 0 })).toBe(verdict)
  const used = verdict === 'charge' ? 'month_used' : verdict
  expect(judgeRecharge({ ...account, balance, chargedThisMonth: 1 })).toBe(used)
})

test('the provider is asked about an unknown charge less and less often, and not after its key may have expired', () => {
  const waits = [1, 2, 3, 4, 5, 6, 50].map((asks) => secondsToNextAsk(asks, 0, false))
  expect(waits).toEqual([5, 30, 120, 600, 3600, 3600, 3600])
  expect(secondsToNextAsk(20, 19 * 3600 + 1, false)).toBeUndefined()
  expect([0, 20, 20.1].map((hours) => mayAskForCharge(hours * 3600))).toEqual([true, true, false])
})

test('the provider is asked about a named charge for as long as a bank debit may take', () => {
  const hours = [1, 13 * 24, 14 * 24]
  expect(hours.map((hour) => secondsToNextAsk(20, hour * 3600, true))).toEqual([3600, 6 * 3600, undefined])
})

test('a charge that the provider does not know counts as not made once no earlier request can arrive', () => {
  expect([1, 2, 3, 4, 5].map((asks) => isAnswerFinal(asks))).toEqual([true, false, false, true, true])
})

test('a balance above the threshold that is too low for any lead is charged if the client agreed to that', () => {
  const account = { balance: 2200, threshold: 2000, amount: 5000, monthlyMax: 5000, chargedThisMonth: 0 }
  expect([null, 2200, 2500].map((cheapest) => judgeRecharge({ ...account, cheapest }))).toEqual([
    'enough',
    'enough',
    'charge',
  ])
})

const intent = (fields: object) => ({
  status: 200,
  body: JSON.stringify({ id: 'pi_1', amount_received: 0, currency: 'usd', ...fields }),
})
const refusal = (status: number, error: object) => ({ status, body: JSON.stringify({ error }) })

test.each([
  [intent({ status: 'succeeded', amount_received: 5000 }), { outcome: 'succeeded', cents: 5000 }],
  [intent({ status: 'processing' }), { outcome: 'processing', intent: 'pi_1' }],
  [intent({ status: 'requires_action' }), { outcome: 'failed', code: 'authentication_required' }],
  [intent({ status: 'canceled' }), { outcome: 'failed', code: null }],
  [
    refusal(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }),
    { outcome: 'failed', intent: null, code: 'insufficient_funds' },
  ],
  [refusal(400, { type: 'invalid_request_error', code: 'resource_missing' }), { code: 'resource_missing' }],
])('an answer with a result of a charge is read: %j', (answer, charge) => {
  expect(readCharge(answer)).toMatchObject(charge)
})

test.each([
  refusal(400, { type: 'idempotency_error' }),
  refusal(401, { type: 'invalid_request_error' }),
  refusal(409, { type: 'invalid_request_error', code: 'lock_timeout' }),
  refusal(429, { type: 'invalid_request_error' }),
  { status: 500, body: '{}' },
  { status: 200, body: '<html>' },
  intent({ status: 'succeeded', amount_received: 49.99 }),
])('an answer without a clear result is refused: %j', (answer) => {
  expect(() => readCharge(answer)).toThrow()
})

test('the agreement and the reasons of failures are written in plain words', () => {
  const terms = {
    threshold: '$100.00',
    amount: '$250.00',
    monthlyMax: '$1,000.00',
    method: 'Visa ending in 4242',
  }
  expect(writeRechargeTerms(terms)).toBe(
    'I agree that, whenever my balance is below $100.00 or no longer pays for a lead that I have ordered, $250.00 are charged to my Visa ending in 4242 and added to it, at most $1,000.00 in a calendar month. I can switch this off at any time.',
  )
  expect(['expired_card', 'constructor', null].map((code) => sayDecline(code))).toEqual([
    'The card has expired',
    'The payment did not go through',
    'The payment did not go through',
  ])
})
