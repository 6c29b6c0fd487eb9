import { afterAll, beforeAll, expect, test } from 'vitest'
import { CASES } from '#scripts/bench/beside/cases.ts'
import { runCase } from '#scripts/bench/beside/run-case.ts'
import { startBench, type BenchContext } from '#scripts/bench/services.ts'
import { startPrograms, type Programs } from '#scripts/bench/start-programs.ts'
import { BRIEF_EVEN_TIME, CHEAP_PASSWORDS } from '#scripts/lab/open-accounts.ts'

/** A small `npm run bench -- --open-loop --beside all`: it proves that each case ends, not its latencies. */
const LOAD = { rate: 30, workers: 2, warmUpSeconds: 0.1, seconds: 0.4 }

const closers: Array<() => Promise<unknown>> = []
let context: BenchContext
let programs: Programs

beforeAll(async () => {
  const variables = {
    NODE_ENV: 'test',
    ...CHEAP_PASSWORDS,
    ...BRIEF_EVEN_TIME,
    HOUSEKEEPING_PACE: '4',
    // A killed worker's deliveries return when its leases, ten seconds longer than this, have ended.
    WEBHOOK_TIMEOUT_MS: '1000',
  }
  context = await startBench(process.env, closers, { variables })
  programs = await startPrograms(context, LOAD.workers)
  closers.push(programs.stop)
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test.each(CASES)(
  'the case $name ends, and nothing is lost',
  async (one) => {
    const { alone, beside, lost, refused, drained } = await runCase(context, programs, one, LOAD, {
      isSmall: true,
      rows: 3000,
    })
    expect({ lost, refused }).toEqual({ lost: { victim: 0, others: 0 }, refused: 0 })
    expect(alone.p95).toBeGreaterThan(0)
    expect(beside?.p95).toBeGreaterThan(0)
    expect(drained.alone === null).toBe(one.name !== 'burst')
  },
  120_000,
)
