import { describe, expect, it } from 'vitest'
import {
  blockedMessage,
  blockedUntil,
  NO_FAILURES,
  recordFailure,
  type LimiterState,
} from '#web/session/credentials/login-limiter.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-21T12:00:00Z')

const blockRemaining = (state: LimiterState, now: number) => Math.max(0, blockedUntil(state) - now)

function failTimes(times: number, everyMs: number) {
  let state = NO_FAILURES
  for (let index = 0; index < times; index += 1) state = recordFailure(state, START + index * everyMs)
  return state
}

describe('the login limiter (docs/product.md §9)', () => {
  it('lets four failures pass', () => {
    expect(blockRemaining(failTimes(4, 1000), START + 4000)).toBe(0)
  })

  it('blocks for 15 minutes after the fifth failure', () => {
    const state = failTimes(5, 0)
    expect(blockRemaining(state, START)).toBe(15 * MINUTE)
    expect(blockRemaining(state, START + 15 * MINUTE - 1)).toBe(1)
    expect(blockRemaining(state, START + 15 * MINUTE)).toBe(0)
  })

  it('counts consecutive failures within the window, however long the series', () => {
    expect(blockRemaining(failTimes(5, 14 * MINUTE), START + 56 * MINUTE)).toBe(15 * MINUTE)
  })

  it('starts again after a window without failures', () => {
    const state = recordFailure(failTimes(4, 0), START + 15 * MINUTE)
    expect(state.failures).toBe(1)
  })

  it('starts again after the block', () => {
    expect(recordFailure(failTimes(5, 0), START + 15 * MINUTE).failures).toBe(1)
  })

  it('gives the remaining block in whole minutes, rounded up', () => {
    expect(blockedMessage(15 * MINUTE)).toBe('Too many failed attempts. Please try again in 15 minutes.')
    expect(blockedMessage(14 * MINUTE + 1)).toBe('Too many failed attempts. Please try again in 15 minutes.')
  })
})
