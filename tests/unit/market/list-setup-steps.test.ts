import { expect, test } from 'vitest'
import { SETUP_STEPS, type ClientSetup } from '#core/contract/market/client-setup.ts'
import { findNextStep, listSetupSteps } from '#core/domain/market/list-setup-steps.ts'

const NOTHING: ClientSetup = {
  business: false,
  webhook: false,
  delivered: false,
  order: false,
  funds: false,
  funds_asked: false,
  first_lead: false,
  approved: false,
  waits_since: '2026-11-29T12:00:00.000Z',
  skipped: [],
}
const ALL = { business: true, order: true, webhook: true, delivered: true, funds: true }
const states = (setup: Partial<ClientSetup>) =>
  Object.fromEntries(listSetupSteps({ ...NOTHING, ...setup }).map(({ step, state }) => [step, state]))
const next = (setup: Partial<ClientSetup>, after?: (typeof SETUP_STEPS)[number]) =>
  findNextStep(listSetupSteps({ ...NOTHING, ...setup }), after)

test('the steps come in the order of the contract, and all but the approval are open at first', () => {
  const steps = listSetupSteps(NOTHING)
  expect(steps.map(({ step }) => step)).toEqual(SETUP_STEPS)
  expect(steps.map(({ state }) => state)).toEqual(['open', 'open', 'open', 'open', 'open', 'waiting'])
})

test.each([
  ['business', { business: true }],
  ['order', { order: true }],
  ['webhook', { webhook: true }],
  ['test_lead', { delivered: true }],
  ['funds', { funds: true }],
] as const)('each fact completes only its own step: %s', (step, setup) => {
  const { [step]: own, approval, ...others } = states(setup)
  expect([own, approval]).toEqual(['done', 'waiting'])
  expect(Object.values(others)).toEqual(['open', 'open', 'open', 'open'])
})

test('a skipped step stays skipped until it is done', () => {
  expect(states({ skipped: ['webhook'] })['webhook']).toBe('skipped')
  expect(states({ skipped: ['webhook'], webhook: true })['webhook']).toBe('done')
})

test('requested funds are shown as waiting for an administrator, even if the step was skipped', () => {
  expect(states({ funds_asked: true })['funds']).toBe('waiting')
  expect(states({ funds_asked: true, skipped: ['funds'] })['funds']).toBe('waiting')
  expect(states({ funds_asked: true, funds: true })['funds']).toBe('done')
})

test('the approval is ours, so it waits until it is done, and is never the next step', () => {
  expect(states({ approved: true, waits_since: null })['approval']).toBe('done')
  expect(states(ALL)['approval']).toBe('waiting')
  expect(next(ALL)).toBeUndefined()
})

test('a returning client continues with the first open step', () => {
  expect(next({})).toBe('business')
  expect(next({ business: true, skipped: ['order'] })).toBe('webhook')
  expect(next({ ...ALL, order: false })).toBe('order')
  expect(next({ ...ALL, funds: false, funds_asked: true })).toBeUndefined()
  expect(next({ skipped: ['business', 'order', 'webhook', 'test_lead', 'funds'] })).toBeUndefined()
})

test('a client who leaves a step continues with the next open one after it, then with earlier ones', () => {
  expect(next({}, 'order')).toBe('webhook')
  expect(next({ webhook: true }, 'order')).toBe('test_lead')
  expect(next({}, 'funds')).toBe('business')
  expect(next({ ...ALL, funds: false }, 'funds')).toBeUndefined()
})
