import { describe, expect, test } from 'vitest'
import { besideTable } from '#scripts/bench/beside/report-beside.ts'
import type { BesideResult } from '#scripts/bench/beside/run-case.ts'
import type { DrainResult } from '#scripts/bench/drain/drain.ts'
import { drainTables } from '#scripts/bench/drain/report-drain.ts'
import { summariseDrains } from '#scripts/bench/drain/summarise-drains.ts'
import type { OpenLoopResult } from '#scripts/bench/open-loop.ts'
import { openLoopTables } from '#scripts/bench/report-open-loop.ts'
import { table, tellRuns } from '#scripts/bench/report.ts'

const spread = (p95: number, p99 = p95) => ({ p50: 10, p95, p99, max: 100 })

test('a table is Markdown, with figures to the right and words to the left', () => {
  const rows = [
    ['drain', 'per s', ''],
    ['pipeline', '2,845', 'holds'],
    ['bare loop', '–', 'misses'],
  ]
  expect(table(rows).split('\n')).toEqual([
    '| drain     | per s |        |',
    '| --------- | ----: | ------ |',
    '| pipeline  | 2,845 | holds  |',
    '| bare loop |     – | misses |',
  ])
})

test('several runs are reported with their median and each value, a single run with its own', () => {
  expect(tellRuns([1.5], 2)).toBe('1.50')
  expect(tellRuns([3, 1, 2.5], 1)).toBe('2.5 (3.0; 1.0; 2.5)')
  expect(tellRuns([3, null, 2])).toBe('– (3; –; 2)')
})

describe('a drain', () => {
  const drained = (subject: DrainResult['subject'], perSecond: number, workers = 1): DrainResult => ({
    subject,
    workers,
    perSecond,
    cpu: { worker: 300, postgres: 200 },
    perDelivery: { redisJob: 40, redisTraffic: 2, wal: 4700, tables: 2700 },
    bytes: 900,
    lost: 0,
    repeated: 0,
  })

  test('is compared with each other subject by the median of the pairs, not by the ratio of the medians', () => {
    const pairs = [
      [1000, 2000],
      [3000, 4000],
      [2000, 2500],
    ]
    const { ratios } = summariseDrains(
      pairs.flatMap(([own = 0, other = 0]) => [drained('bare loop', other), drained('pipeline', own)]),
    )
    expect(ratios).toEqual([{ name: 'pipeline / bare loop', pairs: [0.5, 0.75, 0.8], median: 0.75 }])
  })

  test('by several workers is compared with that by one worker', () => {
    const { ratios } = summariseDrains([drained('pipeline', 1000), drained('pipeline', 1500, 2)])
    expect(ratios).toEqual([{ name: 'pipeline, 2 workers / pipeline', pairs: [1.5], median: 1.5 }])
  })

  test('is reported in tables of speeds, ratios and bytes', () => {
    const tables = drainTables(
      summariseDrains([drained('pipeline', 1000), drained('bare loop', 2000)]),
      10_000,
    )
    expect(tables).toContain('drain of 10,000')
    expect(tables).toContain('| worker µs | PostgreSQL µs | all µs |')
    expect(tables).toMatch(/\| pipeline \/ bare loop \| +0\.50 \|/)
    expect(tables).toMatch(/\| pipeline +\| +40 \| +2 \| +2,700 \| +4,700 \|/)
  })
})

test('an open loop is reported by load: the lateness of leads, and the cost of a lead without the receiver', () => {
  const run = (p99: number, server: number): OpenLoopResult => ({
    rate: 200,
    workers: 2,
    warmUpSeconds: 1,
    seconds: 1,
    offered: 200,
    acked: 200,
    delivered: 200,
    repeated: 0,
    undelivered: 0,
    lateness: spread(1),
    answer: spread(5),
    receipt: spread(20, p99),
    cpu: { server, 'worker 1': 1000, 'worker 2': 500, postgres: 1500, redis: 0, receiver: 9000 },
  })
  const tables = openLoopTables([run(50, 1000), run(70, 2000), run(60, 1000)])
  expect(tables).toContain('60.0 (50.0; 70.0; 60.0)')
  expect(tables).toMatch(
    /\| 200 leads\/s, 2 workers +\|.* 1\.5 \(1\.5; 1\.5; 1\.5\) .* 4\.0 \(4\.0; 5\.0; 4\.0\) \| +250 \(250; 200; 250\) \|/,
  )
})

describe('a case with other clients', () => {
  const run = (changes: Partial<BesideResult>): BesideResult => ({
    name: 'fresh',
    who: 'a client who is silent',
    quantile: 'p95',
    rate: 50,
    workers: 1,
    warmUpSeconds: 1,
    seconds: 1,
    alone: spread(20),
    beside: spread(20),
    lateMs: 1,
    silenceMs: { victim: 10, others: null },
    refused: 0,
    lost: { victim: 0, others: 0 },
    drained: { beside: null, alone: null },
    misses: [],
    ...changes,
  })

  test('is one line with the median of its runs, each ratio, and the number of passes, for each number of workers', () => {
    const results = [
      run({ beside: spread(30) }),
      run({ beside: spread(50), misses: ['p95'] }),
      run({ beside: spread(40) }),
      run({ workers: 3 }),
    ]
    expect(besideTable(results).split('\n').at(-1)).toMatch(
      /^\| a client who is silent \| +40\.0 \| +2\.00 \(1\.50; 2\.50; 2\.00\) \| holds in 2 of 3 \| +20\.0 \| +1\.00 \| holds/,
    )
  })

  test('reports a burst’s p99 and drain rate, and for a killed worker the longest silence', () => {
    const burst = run({
      who: 'a burst',
      quantile: 'p99',
      beside: spread(20, 40),
      drained: { beside: 80, alone: 100 },
    })
    const killed = run({ who: 'a kill', quantile: null, silenceMs: { victim: 700, others: 500 } })
    const printed = besideTable([burst, killed])
    expect(printed).toMatch(/\| a burst \(p99\) +\| +40\.0 \| +2\.00 \| holds; drains 0\.80 of alone/)
    expect(printed).toMatch(/\| a kill +\| +20\.0 \| +1\.00 \| holds; silent for 700 ms at most/)
  })
})
