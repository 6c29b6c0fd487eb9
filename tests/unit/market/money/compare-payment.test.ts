import { expect, test } from 'vitest'
import {
  compareDispute,
  comparePayment,
  type KeptPayment,
  type ReportedPayment,
} from '#core/domain/market/payments/compare-payment.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const reported = (fields: Partial<ReportedPayment> = {}): ReportedPayment => ({
  intent: 'pi_1',
  created: new Date(0),
  payment: ID,
  isPaid: true,
  amount: 5000,
  currency: 'usd',
  refunded: 0,
  ...fields,
})
const kept = (fields: Partial<KeptPayment> = {}): KeptPayment => ({
  id: ID,
  intent: 'pi_1',
  status: 'received',
  isFlagged: false,
  isDecided: false,
  amount: 5000,
  refunded: 0,
  ...fields,
})

test.each([
  ['paid and received', reported(), kept(), []],
  ['neither', reported({ isPaid: false }), kept({ status: 'failed' }), []],
  ['never heard of, and not paid', reported({ isPaid: false }), undefined, []],
  ['paid, and not here', reported(), undefined, ['unknown']],
  ['paid, its event lost', reported(), kept({ status: 'pending', intent: null }), ['not_credited']],
  [
    'paid after it was cancelled by its client',
    reported(),
    kept({ status: 'cancelled', intent: null, isDecided: true }),
    ['not_credited'],
  ],
  ['paid, and waiting for an administrator', reported(), kept({ status: 'pending', isFlagged: true }), []],
  [
    'paid back whole after it was rejected',
    reported({ refunded: 5000 }),
    kept({ status: 'failed', isDecided: true }),
    [],
  ],
  ['rejected, and not paid back', reported(), kept({ status: 'failed', isDecided: true }), ['not_credited']],
  [
    'received by hand, and paid on its page',
    reported(),
    kept({ intent: null, isDecided: true }),
    ['not_credited'],
  ],
  ['received for another intent', reported(), kept({ intent: 'pi_2' }), ['not_credited']],
  ['received, and not paid', reported({ isPaid: false }), kept(), ['not_paid']],
  ['of another amount', reported({ amount: 4900 }), kept(), ['amount']],
  ['of another currency', reported({ currency: 'eur' }), kept(), ['amount']],
  [
    'of another amount that an administrator knows',
    reported({ amount: 4900 }),
    kept({ isDecided: true }),
    [],
  ],
  ['paid back there alone', reported({ refunded: 2000 }), kept(), ['refund']],
  ['paid back here alone', reported(), kept({ refunded: 2000 }), ['refund']],
  ['of another amount and paid back', reported({ amount: 4900, refunded: 1 }), kept(), ['amount', 'refund']],
] as const)('a payment that is %s', (_what, theirs, ours, kinds) => {
  expect(comparePayment(theirs, ours).map(({ kind }) => kind)).toEqual(kinds)
})

test('a dispute differs by its state or its amount, or because it is unknown here', () => {
  const dispute = {
    id: 'du_1',
    created: new Date(0),
    intent: 'pi_1',
    state: 'lost',
    amount: 5000,
    currency: 'usd',
  } as const
  const say = (ours: Parameters<typeof compareDispute>[1]) =>
    compareDispute(dispute, ours).map(({ ours: text }) => text)
  expect(say({ id: 'du_1', state: 'lost', amount: 5000 })).toEqual([])
  expect(say({ id: 'du_1', state: 'open', amount: 5000 })).toEqual(['open, 50.00 USD'])
  expect(say({ id: 'du_1', state: 'lost', amount: 4000 })).toEqual(['lost, 40.00 USD'])
  expect(say(undefined)).toEqual(['not here'])
})
