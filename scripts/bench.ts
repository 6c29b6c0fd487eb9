import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureAccounts, type AccountsResult } from './bench/accounts.ts'
import type { BesideCase } from './bench/beside/case.ts'
import { chooseCases } from './bench/beside/cases.ts'
import { runCase, type BesideResult } from './bench/beside/run-case.ts'
import { drain, type DrainResult } from './bench/drain/drain.ts'
import { idleTable, measureIdle, type IdleResult } from './bench/idle.ts'
import { readLeads, type LeadsResult } from './bench/leads/leads.ts'
import { leadsLine, leadsTables } from './bench/leads/report-leads.ts'
import { readLogs, type LogsResult } from './bench/logs/logs.ts'
import { isSound } from './bench/market/crowd.ts'
import { measureMarket, type MarketResult } from './bench/market/measure-market.ts'
import { openLoop, type OpenLoad, type OpenLoopResult } from './bench/open-loop.ts'
import { accountsTable } from './bench/report-accounts.ts'
import { logsLine, logsTable } from './bench/logs/report-logs.ts'
import { drainLine, drainTables } from './bench/drain/report-drain.ts'
import { besideLines, besideTable } from './bench/beside/report-beside.ts'
import { openLoopLine, openLoopTables } from './bench/report-open-loop.ts'
import type { Subject } from './bench/drain/rig.ts'
import { summariseDrains, type DrainSummary } from './bench/drain/summarise-drains.ts'
import { describeServices, startBench, type BenchContext } from './bench/services.ts'
import { startPrograms } from './bench/start-programs.ts'
import { stopAllGuarded } from './services/guarded-process.ts'

/** npm run bench; what it measures, and how: docs/how-we-measure.md. */
const { values: flags } = parseArgs({
  options: {
    /** only this part */
    drain: { type: 'boolean', default: false },
    'open-loop': { type: 'boolean', default: false },
    logs: { type: 'boolean', default: false },
    leads: { type: 'boolean', default: false },
    market: { type: 'boolean', default: false },
    /** of the market only these parts, separated by commas: crowd, choice, whole */
    part: { type: 'string', default: 'crowd,choice,whole' },
    accounts: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
    /** the drain beside graphile-worker and pg-boss that do the same */
    baselines: { type: 'boolean', default: false },
    /** a smoke test: says that it works, not how fast */
    quick: { type: 'boolean', default: false },
    count: { type: 'string' },
    pairs: { type: 'string' },
    /** how often the open loop is measured, with all its rates, workers and cases: medians, and each run */
    runs: { type: 'string', default: '1' },
    /** how many worker processes there are; several, separated by commas, in turns */
    workers: { type: 'string', default: '1' },
    /** leads/s; several, separated by commas, are measured one after the other; 200, of the market 100 and 200 */
    rate: { type: 'string' },
    /** who is beside the client that is measured in the open loop (bench/beside/cases.ts): `all`, or some, separated by commas */
    beside: { type: 'string' },
    /** how many attempts the log holds, or how many leads there are, or orders; several, separated by commas, are measured one after the other */
    rows: { type: 'string' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    /** where the figures go; DATA_DIR/bench by default */
    json: { type: 'string' },
    /** a folder for CPU profiles of the processes; they cost speed */
    profile: { type: 'string' },
  },
})
const named = [
  flags.drain,
  flags['open-loop'],
  flags.logs,
  flags.leads,
  flags.market,
  flags.baselines,
  flags.accounts,
  flags.idle,
]
const both = !named.includes(true)
const count = positive('count', flags.count ?? (flags.quick ? '500' : '10000'))
const pairs = positive('pairs', flags.pairs ?? (flags.quick ? '1' : '3'))
const runs = positive('runs', flags.runs)
const rates = (flags.rate ?? (flags.market ? '100,200' : '200'))
  .split(',')
  .map((rate) => positive('rate', rate))
const cases = flags.beside === undefined ? [] : choose(flags.beside)
const workers = flags.workers.split(',').map((number) => positive('workers', number))
const seconds = positive('seconds', flags.seconds ?? (flags.quick ? '3' : '30'))
const warmUpSeconds = positive('warm-up', flags['warm-up'] ?? (flags.quick ? '2' : '15'))

const loads = rates.map((rate) => ({ rate, workers: 1, warmUpSeconds, seconds }))
const market: MarketResult = { crowds: [], choices: [], wholes: [] }

const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
const closers: Array<() => Promise<unknown>> = []
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    void closeAll()
      .catch((error: unknown) => {
        console.error(error)
      })
      .then(stopAllGuarded)
      .finally(() => process.exit(status))
  })
}

const BASELINES: readonly Subject[] = [
  'pipeline',
  'graphile-worker, whole work',
  'pg-boss, whole work',
  'graphile-worker, one by one',
  'pg-boss, one by one',
  'graphile-worker',
  'pg-boss',
]
/** As whoever has a million leads would set it: a quarter of a small machine's memory. */
const LARGE = ['shared_buffers=1GB']
const LOOPS: readonly Subject[] = ['bare loop', 'pipeline', 'bare loop, many ids a job', 'bare loop, got']
const drains: DrainResult[] = []
const summaries: DrainSummary[] = []
const openLoops: OpenLoopResult[] = []
const besides: BesideResult[] = []
const logs: LogsResult[] = []
const leads: LeadsResult[] = []
const accounts: AccountsResult[] = []
const idles: IdleResult[] = []
try {
  if (both || flags.drain) await inContext((context) => measureDrain(context, LOOPS))
  if (flags.baselines) await inContext((context) => measureDrain(context, BASELINES))
  if (flags.logs) await inContext(measureLogs)
  if (flags.leads) await inContext(measureLeads, LARGE)
  if (both || flags.accounts) await inContext(measureSignIns)
  if (flags.idle) await inContext(measureNothing)
  if (flags.market) await measureMarket(inContext, { ...flags, loads }, market)
  if (both || flags['open-loop']) {
    const loads = rates.flatMap((rate) =>
      workers.map((processes) => ({ rate, workers: processes, warmUpSeconds, seconds })),
    )
    for (let run = 1; run <= runs; run += 1) {
      if (runs > 1) console.log(`\nRun ${run} of ${runs}`)
      for (const load of loads) {
        // Each begins with an empty database.
        if (cases.length === 0) await inContext((context) => measureOpenLoop(context, load))
        for (const one of cases) await inContext((context) => measureBeside(context, one, load))
      }
    }
    console.log(`\n${cases.length > 0 ? besideTable(besides) : openLoopTables(openLoops)}`)
  }
} finally {
  await closeAll()
}
const isWhole =
  drains.every(({ lost }) => lost === 0) &&
  [...openLoops, ...market.wholes].every(
    ({ offered, acked, undelivered }) => acked === offered && undelivered === 0,
  ) &&
  market.crowds.every(isSound) &&
  besides.every(({ lost, refused }) => lost.victim + lost.others + refused === 0)
console.log(isWhole ? '\nNothing was lost.' : '\nSomething was LOST or not accepted; see above.')
process.exit(isWhole ? 0 : 1)

async function inContext(
  measure: (context: BenchContext) => Promise<void>,
  settings: readonly string[] = [],
): Promise<void> {
  const context = await startBench(given, closers, { profileFolder: flags.profile, settings })
  const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`
  const facts = { machine, ...(await describeServices(context)) }
  console.log(
    `\n${Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(' · ')}`,
  )
  await measure(context)
  await closeAll()
  await writeFigures(facts)
}

/** In turns, so that whatever else the machine does meets both. */
async function measureDrain(context: BenchContext, subjects: readonly Subject[]): Promise<void> {
  const turns = subjects.flatMap((subject) =>
    (subject === 'pipeline' ? workers : [1]).map((processes) => [subject, processes] as const),
  )
  console.log(`\nDraining ${count} deliveries, ${pairs} turns each`)
  const results: DrainResult[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const [subject, processes] of turns) {
      const result = await drain(context, subject, count, processes)
      results.push(result)
      console.log(drainLine(result))
    }
  }
  const summary = summariseDrains(results)
  drains.push(...results)
  summaries.push(summary)
  console.log(`\n${drainTables(summary, count)}`)
}

async function measureLogs(context: BenchContext): Promise<void> {
  const sizes = (flags.rows ?? (flags.quick ? '1000,10000' : '100000,1000000')).split(',')
  console.log(`\nReading a log of ${sizes.join(', ')} rows over 26 weeks: p50 / p95 in milliseconds`)
  logs.push(
    ...(await readLogs(
      context,
      sizes.map((size) => positive('rows', size)),
      (result) => {
        console.log(logsLine(result))
      },
    )),
  )
  console.log(`\n${logsTable(logs)}`)
}

async function measureLeads(context: BenchContext): Promise<void> {
  const sizes = (flags.rows ?? (flags.quick ? '20000,40000' : '100000,1000000')).split(',')
  console.log(`\nSearching and listing ${sizes.join(', ')} leads: p50 / p99 in milliseconds`)
  const numbers = sizes.map((size) => positive('rows', size))
  leads.push(...(await readLeads(context, numbers, (result) => console.log(leadsLine(result)))))
  console.log(`\n${leadsTables(leads)}`)
}

async function measureSignIns(context: BenchContext): Promise<void> {
  const numbers = flags.quick
    ? { people: 2, signIns: 6, refreshes: 20 }
    : { people: 10, signIns: 300, refreshes: 3000 }
  console.log(`\nSigning in ${numbers.signIns} times and refreshing ${numbers.refreshes} times`)
  const result = await measureAccounts(context, numbers)
  accounts.push(result)
  console.log(`\n${accountsTable(result)}`)
}

async function measureNothing(context: BenchContext): Promise<void> {
  console.log(`\nDoing nothing: ${warmUpSeconds} s to settle, ${seconds} s measured`)
  const result = await measureIdle(context, { warmUpSeconds, seconds })
  idles.push(result)
  console.log(`\n${idleTable(result)}`)
}

async function measureOpenLoop(context: BenchContext, load: OpenLoad): Promise<void> {
  console.log(`\nOpen loop at ${loadWords(load)}`)
  const result = await openLoop(context, load)
  openLoops.push(result)
  console.log(openLoopLine(result))
}

async function measureBeside(context: BenchContext, one: BesideCase, load: OpenLoad): Promise<void> {
  console.log(`\nBeside ${one.who}, at ${loadWords(load)}`)
  const programs = await startPrograms(context, load.workers)
  try {
    const result = await runCase(context, programs, one, load, flags.quick)
    besides.push(result)
    console.log(besideLines(result))
  } finally {
    await programs.stop()
  }
}

function loadWords(load: OpenLoad): string {
  const by = load.workers === 1 ? 'one worker' : `${load.workers} workers`
  return `${load.rate} leads/s, ${by}: ${load.warmUpSeconds} s to warm up, ${load.seconds} s measured`
}

async function writeFigures(facts: Record<string, string>): Promise<void> {
  const folder = path.resolve(given['DATA_DIR'] ?? '.data', 'bench')
  const file = flags.json ?? path.join(folder, `${startedAt()}.json`)
  await mkdir(path.dirname(file), { recursive: true })
  const figures = {
    facts,
    count,
    pairs,
    summaries,
    drains,
    open_loops: openLoops,
    beside: besides,
    logs,
    leads,
    accounts,
    market,
    idles,
  }
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
  console.log(`\nFigures: ${path.relative(process.cwd(), file)}`)
}

function choose(names: string): BesideCase[] {
  try {
    return chooseCases(names)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(2)
  }
}

function startedAt(): string {
  return new Date(performance.timeOrigin).toISOString().replaceAll(':', '').slice(0, 17)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  console.error(`--${name} must be a number above 0, not '${text}'`)
  process.exit(2)
}
