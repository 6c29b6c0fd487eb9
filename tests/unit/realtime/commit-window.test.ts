import { describe, expect, test } from 'vitest'
import {
  createCommitWindow,
  type CommitWindow,
  type Reading,
  type WrittenRow,
} from '#core/domain/realtime/commit-window.ts'

const START = 1_800_000_000_000
const reading = (second: number, snapshot: string, ledger = 100): Reading => ({
  at: START + second * 1000,
  snapshot,
  ledger,
})
const row = (id: string, second: number, version = 1): WrittenRow => ({
  kind: 'event',
  id,
  version,
  position: START + second * 1000,
})

/** One poll each 200 ms with these snapshots. */
function poll(window: CommitWindow, from: number, snapshots: readonly string[]): void {
  for (const [index, snapshot] of snapshots.entries()) {
    window.since()
    window.moveTo(reading(from + index * 0.2, snapshot))
  }
}

function openWindow(snapshot = '100:100:'): CommitWindow {
  const window = createCommitWindow(reading(0, snapshot))
  poll(window, 0.1, [snapshot])
  return window
}

describe('a poll', () => {
  test('reads nothing while nothing is committed', () => {
    const window = openWindow()
    expect(window.since()).toMatchObject({ snapshot: '100:100:', ended: [] })
  })

  test('reads rows from the first transaction that had not ended, a moment back', () => {
    const window = openWindow()
    poll(window, 10, ['103:110:103,105'])
    const { xmin, from, longFrom } = window.since()
    expect(xmin).toBe(103)
    expect(from.event).toBe(START + 7000)
    expect(longFrom).toMatchObject({ event: START + 7000 })
  })

  test('reads the rows of a transaction by its number when it ends after it ran for long', () => {
    const window = openWindow()
    poll(window, 10, ['100:101:100', '100:110:100'])
    poll(window, 20, ['100:150:100'])
    expect(window.since().ended).toEqual([])
    window.moveTo(reading(20.2, '150:150:'))
    const { snapshot, ended, longFrom, from } = window.since()
    expect(snapshot).toBeNull()
    expect(ended).toEqual([100])
    expect(longFrom.event).toBeLessThanOrEqual(START)
    expect(from.event).toBe(START + 17_200)
    window.moveTo(reading(20.4, '150:150:'))
    expect(window.since().ended).toEqual([])
  })

  test('does not read a short transaction twice', () => {
    const window = openWindow()
    poll(window, 0.3, ['100:101:100', '101:101:'])
    expect(window.since().ended).toEqual([])
  })

  test('does not follow one that saw more', () => {
    const window = openWindow('100:120:100')
    expect(window.isFollowedBy(reading(1, '100:120:100'))).toBe(true)
    expect(window.isFollowedBy(reading(1, '90:119:90'))).toBe(false)
  })

  test('compares numbers of transactions beyond 2^32 as rows show them', () => {
    const beyond = 2 ** 32 + 5
    const window = openWindow(`${beyond}:${beyond}:`)
    expect(window.since().xmin).toBe(5)
  })

  test('looks for attempts a minute back, but not each time', () => {
    const window = openWindow()
    const spans = [1, 1.2, 1.4, 1.6, 1.8, 2].map((second) => {
      const { from } = window.since()
      window.moveTo(reading(second, `${second * 10}:${second * 10}:`))
      return from.event - from.attempt
    })
    expect(spans.filter((span) => span > 0).length).toBeLessThanOrEqual(2)
    expect(spans).toContain(60_000)
  })

  test('looks each quarter of a minute for attempts of a quarter of an hour that were recorded late', () => {
    const window = openWindow()
    const looks: number[] = []
    for (let second = 1; second <= 40; second += 1) {
      const { deep, longFrom, snapshot } = window.since()
      if (deep.from < longFrom.attempt) {
        looks.push(second)
        expect({ span: longFrom.attempt - deep.from, snapshot }).toEqual({ span: 837_000, snapshot: null })
      }
      window.moveTo(reading(second, `${100 + second}:${100 + second}:`))
    }
    expect(looks).toEqual([16, 32])
  })

  test('looks for attempts from before an outage after it', () => {
    const window = openWindow()
    poll(window, 10, ['101:101:'])
    poll(window, 310, ['102:102:', '103:103:', '104:104:', '105:105:', '106:106:', '107:107:'])
    const oldest: number[] = []
    for (let second = 312; second < 315; second += 1) {
      oldest.push(window.since().from.attempt)
      window.moveTo(reading(second, `${second}:${second}:`))
    }
    expect(Math.min(...oldest)).toBe(START - 50_000)
  })
})

describe('a row', () => {
  test('is new once, whatever changes of its outbox columns', () => {
    const window = openWindow()
    expect(window.judge(row('a', 1, 7))).toBe('first')
    expect(window.judge(row('a', 1, 8))).toBe('known')
    poll(window, 2, ['200:200:'])
    expect(window.judge(row('a', 1, 9))).toBe('known')
  })

  test('of a configuration is told again with each version', () => {
    const window = openWindow()
    const hook = { ...row('h', 1, 7), kind: 'webhook' } as const
    expect(window.judge(hook)).toBe('first')
    expect(window.judge(hook)).toBe('known')
    expect(window.judge({ ...hook, version: 8 })).toBe('again')
  })

  test('of an attempt that was recorded late is new if its transaction ended after the last such look', () => {
    const window = openWindow('100:100:')
    const late = (id: string, version: number): WrittenRow => ({ ...row(id, -300, version), kind: 'attempt' })
    for (let second = 1; second <= 16; second += 1) {
      window.since()
      if (second === 16) {
        expect(window.judge(late('told', 99))).toBe('known')
        expect(window.judge(late('new', 105))).toBe('first')
        expect(window.judge(late('new', 105))).toBe('known')
      }
      window.moveTo(reading(second, second < 16 ? '100:100:' : '110:112:110'))
    }
    for (let second = 17; second <= 32; second += 1) {
      const { deep, longFrom } = window.since()
      if (deep.from < longFrom.attempt) {
        expect(deep.xmin).toBe(110)
        expect(window.judge(late('new', 105))).toBe('known')
        expect(window.judge(late('then running', 110))).toBe('first')
      }
      window.moveTo(reading(second, '112:112:'))
    }
  })

  test('is forgotten when no poll reads it any more', () => {
    const window = openWindow()
    expect(window.judge(row('a', 1))).toBe('first')
    poll(window, 20, ['200:200:', '201:201:', '202:202:'])
    expect(window.judge(row('a', 1))).toBe('first')
  })
})
