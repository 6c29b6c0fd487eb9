import { expect, test } from 'vitest'
import {
  PERMISSIONS_OF_MEMBER,
  type MemberPermission,
  type MemberRole,
} from '#core/contract/accounts/member-role.ts'
import { hasStepsLeft, sayState, type ChecklistLine } from '#web/market/dashboard/say-state.ts'

const DONE = {
  business: true,
  webhook: true,
  delivered: true,
  order: true,
  funds: true,
  funds_asked: false,
  first_lead: true,
  approved: true,
  waits_since: null,
  skipped: [],
}
const unmet = (code: ChecklistLine['code'], sentence: string): ChecklistLine => ({
  code,
  ok: false,
  sentence,
  fix: '/orders',
})
const every = () => true
const say = (facts: Partial<Parameters<typeof sayState>[0]>) => {
  const { tone, sentence, detail, fix, told } = sayState({
    setup: DONE,
    leadsToday: 0,
    wrong: [],
    may: every,
    ...facts,
  })
  return { said: [tone, sentence, detail], fix: fix?.label, isTold: told !== undefined }
}

const paused = unmet('order_active', '“Texas” is paused by you')
const noWebhook = unmet('delivery_method', 'No active webhook takes assigned leads')

test.each([
  ['leads come', { leadsToday: 1200 }, ['success', 'Leads are coming in', '1,200 today'], undefined, false],
  ['none came today', {}, ['success', 'Ready for leads', 'Nothing stands in the way'], undefined, false],
  [
    'an order is paused',
    { leadsToday: 3, wrong: [paused] },
    ['waiting', 'No leads are bought for you now', '“Texas” is paused by you'],
    'Fix',
    true,
  ],
  [
    'an order rests',
    { wrong: [unmet('schedule_open', 'Outside its hours. Resumes Monday at 9:00 AM')] },
    ['neutral', 'No leads are bought for you now', 'Outside its hours. Resumes Monday at 9:00 AM'],
    'Fix',
    true,
  ],
  [
    'the account is not approved',
    { wrong: [unmet('account_active', 'Your account has not been approved yet')] },
    ['waiting', 'No leads are bought for you now', 'Your account has not been approved yet'],
    undefined,
    true,
  ],
  [
    'two things are wrong',
    { leadsToday: 3, wrong: [paused, noWebhook] },
    ['waiting', 'No leads are bought for you now', '2 things to put right, listed below'],
    undefined,
    false,
  ],
  [
    'no webhook takes the leads',
    { leadsToday: 3, wrong: [noWebhook] },
    ['waiting', 'Leads are coming in', 'No active webhook takes assigned leads'],
    'Fix',
    true,
  ],
  [
    'there is no order',
    { setup: { ...DONE, order: false } },
    ['neutral', 'No leads are bought for you now', 'You have no order yet'],
    'Open orders',
    false,
  ],
] as const)('a client reads what is true now: %s', (_case, facts, said, fix, isTold) => {
  expect(say(facts)).toEqual({ said, fix, isTold })
})

test.each([
  [{ business: false, webhook: false, approved: false }, '2 steps are left before your first lead'],
  [{ webhook: false }, '1 step is left before your first lead'],
  [{ approved: false }, 'Waiting for approval'],
  [{ funds: false, funds_asked: true }, 'Waiting for your payment'],
  [{ funds: false, funds_asked: true, approved: false }, 'Waiting for your payment and for approval'],
])('a new client reads what is left before the first lead: %j', (undone, sentence) => {
  const setup = { ...DONE, ...undone, first_lead: false }
  expect(hasStepsLeft(setup)).toBe(true)
  expect(sayState({ setup, leadsToday: 0, wrong: [paused], may: every }).sentence).toBe(sentence)
})

test('the steps are gone once all are done, or once a lead came without them', () => {
  expect(hasStepsLeft({ ...DONE, first_lead: false })).toBe(false)
  expect(hasStepsLeft({ ...DONE, webhook: false })).toBe(false)
})

const as = (role: MemberRole) => (permission: MemberPermission) =>
  PERMISSIONS_OF_MEMBER[role].includes(permission)

test.each([
  [
    'finance',
    { wrong: [] },
    ['neutral', 'No leads today', 'Your role does not include the orders'],
    undefined,
  ],
  ['finance', { wrong: [], leadsToday: 2 }, ['success', 'Leads are coming in', '2 today'], undefined],
  [
    'manager',
    { wrong: [unmet('funded', 'Your balance does not cover a lead')] },
    ['waiting', 'No leads are bought for you now', 'Your balance does not cover a lead'],
    undefined,
  ],
  [
    'manager',
    { setup: { ...DONE, webhook: false, first_lead: false } },
    ['info', '1 step is left before the first lead', 'An owner of the account does this'],
    undefined,
  ],
  ['agent', { wrong: [paused] }, ['waiting', 'No leads are bought for you now', paused.sentence], 'Fix'],
] as const)('a %s of an account reads only what the role includes: %j', (role, facts, said, fix) => {
  expect(say({ may: as(role), ...facts })).toMatchObject({ said, fix })
})
