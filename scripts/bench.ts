import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { measureAccounts, type AccountsResult } from './bench/accounts.ts'
import {
  administrationTable,
  measureAdministration,
  type AdministrationResult,
} from './bench/administration/administration.ts'
import type { BesideCase } from './bench/beside/case.ts'
import { runCase, type BesideResult } from './bench/beside/run-case.ts'
import { measureSideBySide } from './bench/bare/measure-side-by-side.ts'
import type { SideFigures } from './bench/bare/run-side-by-side.ts'
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
import { measureSocketLoads, type SocketFigures } from './bench/sockets/measure-socket-loads.ts'
import { openLoopLine, openLoopTables } from './bench/report-open-loop.ts'
import type { SizingFigures } from './bench/sizing/figures.ts'
import { measureMasters } from './bench/sizing/measure-masters.ts'
import type { Subject } from './bench/drain/rig.ts'
import { BASELINES, LOOPS } from './bench/drain/subjects.ts'
import { summariseDrains, type DrainSummary } from './bench/drain/summarise-drains.ts'
import { COUNTS_STATEMENTS } from './bench/service-use.ts'
import { describeServices, startBench, type BenchContext } from './bench/services.ts'
import {
  cases,
  count,
  flags,
  masters,
  pairs,
  rates,
  readSizes,
  runs,
  seconds,
  warmUpSeconds,
  workers,
} from './bench/read-flags.ts'
import { startPrograms } from './bench/start-programs.ts'
import { stopAllGuarded } from './services/guarded-process.ts'

/** `npm run bench`. docs/how-we-measure.md explains what it measures, and how. */
const named = [
  flags.drain,
  flags['open-loop'],
  flags.logs,
  flags.leads,
  flags.administration,
  flags.market,
  flags.bare,
  flags.baselines,
  flags.accounts,
  flags.idle,
  flags.sockets,
  flags.sizing,
]
const both = !named.includes(true)

const loads = rates.map((rate) => ({ rate, workers: 1, warmUpSeconds, seconds }))
const loadsByWorkers = rates.flatMap((rate) =>
  workers.map((processes) => ({ rate, workers: processes, warmUpSeconds, seconds })),
)
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

/** The setting for an installation with a million leads: a quarter of a small machine's memory. */
const LARGE = ['shared_buffers=1GB']
const drains: DrainResult[] = []
const summaries: DrainSummary[] = []
const openLoops: OpenLoopResult[] = []
const besides: BesideResult[] = []
const logs: LogsResult[] = []
const leads: LeadsResult[] = []
const administrations: AdministrationResult[] = []
const accounts: AccountsResult[] = []
const idles: IdleResult[] = []
const sockets: SocketFigures = { results: [], pairs: [] }
const sides: SideFigures[] = []
const sizing: { figures?: SizingFigures } = {}
try {
  if (both || flags.drain) await inContext((context) => measureDrain(context, LOOPS))
  if (flags.baselines) await inContext((context) => measureDrain(context, BASELINES))
  if (flags.logs) await inContext(measureLogs)
  if (flags.leads) await inContext(measureLeads, LARGE)
  if (flags.administration) await inContext(measureScreens, LARGE)
  if (both || flags.accounts) await inContext(measureSignIns)
  if (flags.idle) await inContext(measureNothing)
  if (flags.sockets) await measureAllSockets()
  if (flags.sizing) await measureMasters(inContext, { masters, loads: loadsByWorkers }, sizing)
  if (flags.market) await measureMarket(inContext, { ...flags, loads }, market)
  if (flags.bare) {
    const plan = { ...flags, rates, runs, warmUpSeconds, seconds }
    await measureSideBySide((measure) => inContext(measure, COUNTS_STATEMENTS), plan, sides)
  }
  if (both || flags['open-loop']) {
    for (let run = 1; run <= runs; run += 1) {
      if (runs > 1) console.log(`\nRun ${run} of ${runs}`)
      for (const load of loadsByWorkers) {
        // Each case begins with an empty database.
        if (cases.length === 0) await inContext((context) => measureOpenLoop(context, load))
        for (const one of cases)
          await inContext((context) => measureBeside(context, one, load), one.settings ?? [])
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
  sides.every(({ lost }) => lost === 0) &&
  (sizing.figures?.loads ?? []).every(({ lost }) => lost === 0) &&
  sockets.results.every(({ untold }) => untold === 0) &&
  market.crowds.every(isSound) &&
  besides.every(({ lost, refused }) => lost.victim + lost.others + refused === 0)
console.log(isWhole ? '\nNothing was lost.' : '\nSomething was LOST or not accepted; see above.')
process.exit(isWhole ? 0 : 1)

async function inContext(
  measure: (context: BenchContext) => Promise<void>,
  settings: readonly string[] = [],
  hasCluster = false,
): Promise<void> {
  const context = await startBench(given, closers, { profileFolder: flags.profile, settings, hasCluster })
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

/** The subjects take turns, so that other load of the machine affects all of them. */
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
  const sizes = readSizes('1000,10000', '100000,1000000')
  console.log(`\nReading a log of ${sizes.join(', ')} rows over 26 weeks: p50 / p95 in milliseconds`)
  logs.push(
    ...(await readLogs(context, sizes, (result) => {
      console.log(logsLine(result))
    })),
  )
  console.log(`\n${logsTable(logs)}`)
}

async function measureLeads(context: BenchContext): Promise<void> {
  const sizes = readSizes('20000,40000', '100000,1000000')
  console.log(
    `\nSearching and listing ${sizes.join(', ')} leads: p50 / p99 / PostgreSQL's processor time, in milliseconds`,
  )
  leads.push(...(await readLeads(context, sizes, (result) => console.log(leadsLine(result)))))
  console.log(`\n${leadsTables(leads)}`)
}

async function measureScreens(context: BenchContext): Promise<void> {
  for (const size of readSizes('20000', '1000000')) {
    console.log(`\nReading the administration's screens with ${size} leads`)
    const result = await measureAdministration(context, size)
    administrations.push(result)
    console.log(`\n${administrationTable(result)}`)
  }
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

async function measureAllSockets(): Promise<void> {
  const plan = {
    sizes: readSizes('100', '2000'),
    pairs: flags.quick ? 1 : pairs,
    rates,
    warmUpSeconds,
    seconds,
  }
  await measureSocketLoads(inContext, plan, sockets)
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
    const result = await runCase(context, programs, one, load, {
      isSmall: flags.quick,
      rows: readSizes('4000', '10000000')[0] ?? 0,
    })
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
    administrations,
    accounts,
    market,
    idles,
    sockets,
    beside_bare: sides,
    sizing: sizing.figures,
  }
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
  console.log(`\nFigures: ${path.relative(process.cwd(), file)}`)
}

function startedAt(): string {
  return new Date(performance.timeOrigin).toISOString().replaceAll(':', '').slice(0, 17)
}
