import { describe, expect, test } from 'vitest'
import { SCENARIOS } from '#scripts/chaos/scenarios.ts'
import { MARKET } from './judged/market-faults.ts'
import { OURS } from './judged/our-faults.ts'
import { THEIRS } from './judged/their-faults.ts'

/** What the check of each scenario must accept, and what it must refuse, the case in which nothing of its fault was met among it. */
const CHECKS = { ...OURS, ...THEIRS, ...MARKET }

test('every scenario is shown here to be able to fail', () => {
  const checked = SCENARIOS.filter(({ check }) => check !== undefined).map(({ id }) => id)
  expect(checked).toHaveLength(SCENARIOS.length)
  expect(Object.keys(CHECKS).toSorted()).toEqual(checked.toSorted())
})

describe.for(Object.entries(CHECKS))('the check of %s', ([, { sound, refused }]) => {
  test('accepts what is sound', () => {
    expect(sound).toEqual([])
  })
  test.for(Object.entries(refused))('refuses %s', ([, faults]) => {
    expect(faults).not.toEqual([])
  })
})
