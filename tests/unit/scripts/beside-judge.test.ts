import { describe, expect, test } from 'vitest'
import { CASES, chooseCases } from '#scripts/bench/beside/cases.ts'
import { describePlayed } from '#scripts/bench/beside/describe-played.ts'
import { judgeCase, USUAL_AIMS, type Played } from '#scripts/bench/beside/judge-case.ts'
import type { Post } from '#scripts/bench/send-at-pace.ts'
import type { Receipt } from '#scripts/lab/receiver/receipt.ts'

const spread = (p95: number, p99 = p95) => ({ p50: 10, p95, p99, max: 100 })
const played = (changes: Partial<Played>): Played => ({
  alone: spread(100),
  beside: spread(100),
  lateMs: 1,
  silenceMs: { victim: 10, others: null },
  refused: 0,
  lost: { victim: 0, others: 0 },
  drained: { beside: null, alone: null },
  ...changes,
})

describe('a case with other clients', () => {
  test('passes if it is at most one and a half times as slow as alone, or at most 20 ms slower', () => {
    expect(judgeCase(USUAL_AIMS, played({ beside: spread(150) }))).toEqual([])
    expect(judgeCase(USUAL_AIMS, played({ alone: spread(5), beside: spread(25) }))).toEqual([])
  })
  test('fails if it is slower than that', () => {
    expect(judgeCase(USUAL_AIMS, played({ beside: spread(151) }))).toEqual([
      'p95 151.0 ms beside and 100.0 ms alone',
    ])
    expect(judgeCase(USUAL_AIMS, played({ alone: spread(5), beside: spread(26) }))).toHaveLength(1)
  })
  test('is judged by the quantile that its aim names', () => {
    const burst = { ...USUAL_AIMS, quantile: 'p99' } as const
    const late = played({ beside: spread(100, 400) })
    expect(judgeCase(burst, late)).toEqual(['p99 400.0 ms beside and 100.0 ms alone'])
    expect(judgeCase(USUAL_AIMS, late)).toEqual([])
  })
  test('fails if any lead was lost or not accepted, however fast it was', () => {
    const missing = played({ beside: null, lost: { victim: 2, others: 3 }, refused: 4 })
    expect(judgeCase(USUAL_AIMS, missing)).toEqual([
      '4 lead(s) were not taken',
      "2 of the measured client's deliveries never came",
      '3 deliveries of the others are missing',
    ])
  })
  test('fails if any client gets nothing for too long', () => {
    const killed = { ...USUAL_AIMS, quantile: null, silenceMs: 3000 }
    expect(
      judgeCase(killed, played({ beside: spread(9000), silenceMs: { victim: 3000, others: 10 } })),
    ).toEqual([])
    for (const silenceMs of [
      { victim: 3001, others: 10 },
      { victim: 10, others: 3001 },
    ]) {
      expect(judgeCase(killed, played({ silenceMs }))).toEqual(['somebody got nothing for 3001.0 ms'])
    }
  })
  test('fails if the other clients get too few deliveries', () => {
    const burst = { ...USUAL_AIMS, drainShare: 0.8 }
    expect(judgeCase(burst, played({ drained: { beside: 80, alone: 100 } }))).toEqual([])
    expect(judgeCase(burst, played({ drained: { beside: 79, alone: 100 } }))).toEqual([
      'the others drained at 0.79 of what they do alone',
    ])
  })
})

describe('a measurement', () => {
  const post = (intended: number): Post => ({ key: 'victim', intended, lateMs: 0, answerMs: 1 })
  const receipt = (path: string, at: number, intended: number | null): Receipt => ({
    path,
    eventId: `e${intended}`,
    deliveryId: `d${intended}`,
    attempt: 1,
    at,
    intended,
    answered: 200,
    wasCut: false,
  })
  const evidence = {
    first: [post(0), post(100), post(200)],
    beside: [post(1000), post(2000)],
    warmUpMs: 50,
    refused: 0,
    lost: { victim: 0, others: 0 },
    drained: { beside: null, alone: null },
  }

  test('counts the leads of each period, without the warm-up and without a second request for one lead', () => {
    const receipts = [
      receipt('/leads', 900, 0),
      receipt('/leads', 107, 100),
      receipt('/leads', 209, 200),
      receipt('/leads', 1030, 1000),
      receipt('/leads', 9000, 1000),
      receipt('/leads', 2040, 2000),
      receipt('/bad/hang', 1900, 1000),
    ]
    const { alone, beside } = describePlayed({ ...evidence, receipts })
    expect(alone).toEqual({ p50: 9, p95: 9, p99: 9, max: 9 })
    expect(beside).toEqual({ p50: 40, p95: 40, p99: 40, max: 40 })
  })
  test('reports the longest silence of any client', () => {
    const receipts = [
      receipt('/leads', 1500, 1000),
      receipt('/others/0', 1900, 1000),
      receipt('/others/1', 1500, 1000),
    ]
    expect(describePlayed({ ...evidence, receipts }).silenceMs.victim).toBeCloseTo(500, 1)
    expect(describePlayed({ ...evidence, receipts }).silenceMs.others).toBeCloseTo(900, 1)
  })
  test('has no lateness with other clients if a lead was lost', () => {
    const lost = { victim: 1, others: 0 }
    expect(describePlayed({ ...evidence, receipts: [], lost }).beside).toBeNull()
  })
})

test('cases are chosen by name or all at once, and an unknown name is refused with the list of names', () => {
  expect(chooseCases('kill,fresh').map(({ name }) => name)).toEqual(['kill', 'fresh'])
  expect(chooseCases('all')).toHaveLength(CASES.length)
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length)
  expect(() => chooseCases('fresh,nobody')).toThrow(/fresh-10000, .*kill; not 'nobody'/)
})
