import { describe, expect, test } from 'vitest'
import { SCENARIOS } from '#scripts/chaos/scenarios.ts'
import { MARKET } from './judged/market-faults.ts'
import { OURS } from './judged/our-faults.ts'
import { THEIRS } from './judged/their-faults.ts'

/**
 * For each scenario, what its check must accept and refuse, including a run in which the fault did not
 * happen.
 */
const CHECKS = { ...OURS, ...THEIRS, ...MARKET }

test('every scenario has a sound run and a faulty run here', () => {
  const checked = SCENARIOS.filter(({ check }) => check !== undefined).map(({ id }) => id)
  expect(checked).toHaveLength(SCENARIOS.length)
  expect(Object.keys(CHECKS).toSorted()).toEqual(checked.toSorted())
})

describe.for(Object.entries(CHECKS))('the check of %s', ([, { sound, refused }]) => {
  test('accepts a sound run', () => {
    expect(sound).toEqual([])
  })
  test.for(Object.entries(refused))('refuses %s', ([, faults]) => {
    expect(faults).not.toEqual([])
  })
})
