import { expect, test } from 'vitest'
import type { LoadCost } from '#scripts/bench/sizing/figures.ts'
import { sizingTables } from '#scripts/bench/sizing/report-sizing.ts'

/** At 100 leads/s; `cpu` in microseconds a lead. */
const costOf = (workers: number, cpu: Record<string, number>, masters = 1): LoadCost => ({
  rate: 100,
  workers,
  masters,
  leads: 1000,
  lost: 0,
  cpu: { server: 600, postgres: 600, redis: 120, ...cpu },
  use: { statements: workers, executionMs: 0, journalRecords: 0, journalBytes: 8000, redisScripts: 1 },
  resident: { server: 200e6, worker: 200e6 },
})
const ONE = costOf(1, { worker: 900 })
const TWO = costOf(2, { 'worker 1': 600, 'worker 2': 600 })
const THREE_MASTERS = costOf(2, { 'worker 1': 700, 'worker 2': 700 }, 3)

test('a size is computed from the cost with as many workers as it needs, on one master of Redis', () => {
  const text = sizingTables({ loads: [THREE_MASTERS, TWO, ONE], tables: [], leads: 1000, redisBytes: 0 })
  const [, sizes = ''] = text.split('### Sizes')
  const rowOf = (rate: number): string =>
    sizes.split('\n').find((line) => line.startsWith(`| ${rate}/s`)) ?? ''

  // One worker is 9 % busy at 100 leads/s, so its own cost counts: (600 + 900 + 600 + 120) µs × 100 / 0.6.
  expect(rowOf(100)).toMatch(/\| +0\.37 \| +1 \+ 1 \|/)
  // At 1,000 leads/s two are needed, and each of two finds fewer leads together: 2,520 µs × 1,000 / 0.6.
  expect(rowOf(1000)).toMatch(/\| +4\.20 \| +1 \+ 2 \|/)
  expect(text).toContain('100/s, 2 workers, 3 masters')
})
