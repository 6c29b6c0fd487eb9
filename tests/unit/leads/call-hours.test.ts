import { describe, expect, test } from 'vitest'
import { judgeCallHours } from '#core/domain/leads/call-hours.ts'
import { zonesOf, type Whereabouts } from '#core/domain/leads/call-zones.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'

const nowhere: Whereabouts = { timezone: null, state: null, zip: null }
const judge = (where: Partial<Whereabouts>, at: string) =>
  judgeCallHours({ ...nowhere, ...where }, new Date(at))

describe('calls are allowed', () => {
  test.each([
    ['a minute before eight', '2026-01-15T12:59:00Z', 'closed'],
    ['from eight on', '2026-01-15T13:00:00Z', 'open'],
    ['until a minute before nine', '2026-01-16T01:59:00Z', 'open'],
    ['not at nine in the evening', '2026-01-16T02:00:00Z', 'closed'],
    ['an hour earlier by UTC in summer', '2026-07-15T12:00:00Z', 'open'],
    ['not at midnight', '2026-01-15T05:00:00Z', 'closed'],
  ])('%s, by the wall clock of New York', (_what, at, standing) => {
    expect(judge({ state: 'NY' }, at)?.standing).toBe(standing)
  })

  test('in a state with two zones only if both allow it, and both times are shown', () => {
    expect(judge({ state: 'TN' }, '2026-01-15T13:30:00Z')).toMatchObject({
      times: ['7:30 AM CST', '8:30 AM EST'],
      standing: 'unsure',
      isGuess: true,
    })
    expect(judge({ state: 'TN', zip: '37919' }, '2026-01-15T13:30:00Z')).toMatchObject({
      times: ['8:30 AM EST'],
      standing: 'open',
      isGuess: false,
    })
    expect(judge({ state: 'TN' }, '2026-01-15T12:30:00Z')?.standing).toBe('closed')
    expect(judge({ state: 'TN' }, '2026-01-15T15:30:00Z')?.standing).toBe('open')
    // Arizona's two clocks agree in winter.
    expect(judge({ state: 'AZ' }, '2026-01-15T18:00:00Z')).toMatchObject({
      times: ['11:00 AM MST'],
      isGuess: false,
    })
  })
})

test('the lead’s own zone takes precedence over its state, and an unknown zone is ignored', () => {
  expect(zonesOf({ timezone: 'America/Denver', state: 'NY', zip: null })).toEqual(['America/Denver'])
  expect(zonesOf({ timezone: 'Mars/Base', state: 'NY', zip: '10001' })).toEqual(['America/New_York'])
  expect(zonesOf({ ...nowhere, state: 'TX', zip: '79912-1234' })).toEqual(['America/Denver'])
  // A zone border crosses the code, or it is no code of this state.
  expect(zonesOf({ ...nowhere, state: 'TX', zip: '79830' })).toHaveLength(2)
  expect(zonesOf({ ...nowhere, state: 'TX', zip: 'x' })).toHaveLength(2)
  expect(judge({}, '2026-01-15T13:00:00Z')).toBeUndefined()
  expect(judge({ state: 'AE' }, '2026-01-15T13:00:00Z')).toBeUndefined()
})

test('every state and territory has its zones, and all of them exist', () => {
  const unknown = Object.keys(STATE_NAMES).filter((state) => zonesOf({ ...nowhere, state }).length === 0)
  expect(unknown).toEqual(Object.keys(STATE_NAMES).filter((state) => /^(A[AEP]|FM|MH|PW)$/.test(state)))
  for (const state of Object.keys(STATE_NAMES)) judge({ state }, '2026-01-15T13:00:00Z')
})
