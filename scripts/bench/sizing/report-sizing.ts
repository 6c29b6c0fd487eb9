import { nameProgram, table, tellFigure } from '../report.ts'
import type { LoadCost, SizingFigures } from './figures.ts'
import { bytesOf } from './read-tables.ts'

const DAY_SECONDS = 86_400
const RATES = [1, 10, 100, 1000]
/** No machine is planned to be busier than this, so that a burst of two thirds more still fits. */
const BUSY = 0.6
/** Days for which rows stay with the default periods; the other tables keep theirs. */
const KEPT_DAYS: Readonly<Record<string, number>> = {
  webhook_delivery_log_bodies: 30,
  webhook_delivery_logs: 180,
  webhook_deliveries: 180,
  events: 180,
}
const PROGRAMS = ['server', 'worker', 'postgres', 'redis'] as const

/** Every table that docs/operations/sizing.md shows, from the figures of one run. */
export function sizingTables(figures: SizingFigures): string {
  return [
    ['Cost of a lead', costTable(figures)],
    ['Bytes of a lead', bytesTable(figures)],
    ['Sizes', sizeTable(figures)],
  ]
    .map(([title, text]) => `### ${title}\n\n${text}`)
    .join('\n\n')
}

export function loadLine(cost: LoadCost): string {
  const cpu = PROGRAMS.map((name) => `${nameProgram(name)} ${tellFigure(cpuOf(cost, name))}`)
  return `  ${nameLoad(cost)}: ${cost.leads} leads, ${cost.lost} lost; µs a lead: ${cpu.join(', ')}; ${tellFigure(cost.use.statements, 1)} statements, ${tellFigure(cost.use.journalBytes)} bytes of WAL`
}

function nameLoad({ rate, workers, masters = 1 }: LoadCost): string {
  const stores = masters === 1 ? '' : `, ${masters} masters`
  return `${rate}/s, ${workers === 1 ? 'one worker' : `${workers} workers`}${stores}`
}

function costTable({ loads }: SizingFigures): string {
  const rows = loads.map((cost) => [
    nameLoad(cost),
    ...PROGRAMS.map((name) => tellFigure(cpuOf(cost, name))),
    tellFigure(cost.use.statements, 1),
    tellFigure(cost.use.journalBytes),
    tellFigure(cost.use.redisScripts, 1),
    ...(['server', 'worker'] as const).map((name) => tellFigure(residentOf(cost, name) / 1e6)),
  ])
  const head = [
    'measured at',
    ...PROGRAMS.map((name) => `${nameProgram(name)} µs`),
    'statements',
    'WAL bytes',
    'Redis scripts',
    'server MB',
    'worker MB',
  ]
  return table([head, ...rows])
}

function bytesTable({ tables, leads, redisBytes }: SizingFigures): string {
  const rows = tables.map((one) => [
    one.name,
    tellFigure(one.rows, 2),
    tellFigure(one.heap),
    tellFigure(bytesOf(one) - one.heap),
    KEPT_DAYS[one.name] === undefined ? 'for ever' : `${KEPT_DAYS[one.name]} days`,
  ])
  const all = tables.reduce((sum, one) => sum + bytesOf(one), 0)
  return `${table([['table', 'rows', 'bytes', 'bytes of indexes', 'kept'], ...rows])}\n\nIn all ${tellFigure(all)} bytes of PostgreSQL. After ${tellFigure(leads)} delivered leads Redis held ${tellFigure(redisBytes / 1e6, 2)} MB more than before.`
}

/** Each rate with the costs that were measured nearest to it, and with the number of workers that it needs. */
function sizeTable(figures: SizingFigures): string {
  const { loads, tables } = figures
  const bytes = tables.reduce((sum, one) => sum + bytesOf(one), 0)
  const rows = RATES.map((rate) => {
    const cost = chooseCost(loads, rate)
    if (cost === undefined) return [`${rate}/s`]
    const cores = (name: (typeof PROGRAMS)[number]): number => coresOf(cost, name, rate)
    const all = PROGRAMS.reduce((sum, name) => sum + cores(name), 0)
    const processes = (name: 'server' | 'worker'): number => processesOf(cost, name, rate)
    const memory =
      processes('server') * residentOf(cost, 'server') + processes('worker') * residentOf(cost, 'worker')
    const year = tables.reduce(
      (sum, one) => sum + bytesOf(one) * Math.min(365, KEPT_DAYS[one.name] ?? 365) * DAY_SECONDS * rate,
      0,
    )
    return [
      `${rate}/s${loads.some((load) => load.rate === rate) ? '' : ` (extrapolated from ${cost.rate}/s)`}`,
      tellFigure(all / BUSY, 2),
      `${tellFigure(processes('server'))} + ${tellFigure(processes('worker'))}`,
      tellFigure(memory / 1e9, 1),
      tellFigure(cost.use.statements * rate),
      tellFigure((cost.use.journalBytes * rate) / 1e6, 2),
      tellFigure((cost.use.journalBytes * rate * DAY_SECONDS) / 1e9, 1),
      tellFigure((bytes * rate * DAY_SECONDS) / 1e9, 1),
      tellFigure(year / 1e12, 2),
    ]
  })
  const head = [
    'leads',
    'cores',
    'servers + workers',
    'their GB of memory',
    'statements/s',
    'WAL MB/s',
    'WAL GB a day',
    'tables GB a day',
    'TB after a year',
  ]
  return table([head, ...rows])
}

/**
 * The cost at the nearest rate on one master of Redis, with as many workers as the rate needs, or the most below
 * that were measured: workers that share the leads find fewer of them together, so each costs more.
 */
function chooseCost(loads: readonly LoadCost[], rate: number): LoadCost | undefined {
  const distance = (cost: LoadCost): number => Math.abs(Math.log(cost.rate / rate))
  const [first, ...others] = loads
    .filter(({ masters = 1 }) => masters === 1)
    .toSorted((a, b) => distance(a) - distance(b) || a.workers - b.workers)
  return others
    .filter((cost) => cost.rate === first?.rate)
    .reduce((best, cost) => {
      const isBetter =
        best !== undefined && cost.workers > best.workers && cost.workers <= processesOf(best, 'worker', rate)
      return isBetter ? cost : best
    }, first)
}

function coresOf(cost: LoadCost, program: (typeof PROGRAMS)[number], rate: number): number {
  return (cpuOf(cost, program) * rate) / 1e6
}

function processesOf(cost: LoadCost, program: 'server' | 'worker', rate: number): number {
  return Math.max(1, Math.ceil(coresOf(cost, program, rate) / BUSY))
}

/** Several workers are named `worker 1`, `worker 2` and so on. */
function cpuOf({ cpu }: LoadCost, program: (typeof PROGRAMS)[number]): number {
  const all = Object.entries(cpu).filter(([name]) => name.startsWith(program))
  return all.reduce((sum, [, micros]) => sum + micros, 0)
}

/** The largest of a kind. */
function residentOf({ resident }: LoadCost, program: 'server' | 'worker'): number {
  return Math.max(
    ...Object.entries(resident).flatMap(([name, bytes]) => (name.startsWith(program) ? [bytes] : [])),
  )
}
