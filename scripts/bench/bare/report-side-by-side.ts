import type { CpuTimes } from '../cpu.ts'
import { nameProgram, table, tellFigure, tellMedian, tellRuns } from '../report.ts'
import { median } from '../spread.ts'
import type { SideFigures } from './run-side-by-side.ts'

const PROGRAMS = ['server', 'worker', 'postgres', 'redis'] as const
const MEGABYTE = 1024 * 1024

type Of<Kind extends SideFigures['kind']> = Extract<SideFigures, { kind: Kind }>

/** Milliseconds of processor time for one lead, all programs together. */
function allMs(cpu: CpuTimes): number {
  return PROGRAMS.reduce((sum, program) => sum + (cpu[program] ?? Number.NaN) / 1000, 0)
}

/** The outcome of one run. */
export function sideLine(figures: SideFigures): string {
  const { product, lost, repeated } = figures
  return `  ${product.padEnd(9)}${describe(figures)} · lost ${lost}, repeated ${repeated}`
}

function describe(figures: SideFigures): string {
  switch (figures.kind) {
    case 'pace':
      return `${tellFigure(allMs(figures.cpu), 2)} ms a lead · ${tellFigure(figures.receipt.p50, 1)} / ${tellFigure(figures.receipt.p99, 1)} ms`
    case 'drain':
      return `${tellFigure(figures.perSecond)}/s · ${tellFigure(allMs(figures.cpu), 2)} ms a lead`
    case 'memory':
      return `${tellFigure(figures.residentBytes / MEGABYTE)} MB`
  }
}

/** The median of each figure over the runs, and the ratio of Leadwire to the bare product, run by run. */
export function sideTables(all: readonly SideFigures[]): string {
  return [
    paceTables(all.filter((one) => one.kind === 'pace')),
    drainTable(all.filter((one) => one.kind === 'drain')),
    memoryTable(all.filter((one) => one.kind === 'memory')),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function paceTables(all: readonly Of<'pace'>[]): string {
  if (all.length === 0) return ''
  const groups = [...Map.groupBy(all, ({ rate }) => rate)]
  const rows = (cells: (one: readonly Of<'pace'>[]) => string[], ratio: (one: Of<'pace'>) => number) =>
    groups.flatMap(([rate, runs]) =>
      split(runs).map(([product, its]) => [
        `${rate}/s, ${product}`,
        ...cells(its),
        product === 'bare' ? '' : ratios(runs, ratio),
      ]),
    )
  const cost = rows(
    (its) => [
      ...PROGRAMS.map((program) =>
        tellMedian(
          its.map(({ cpu }) => (cpu[program] ?? Number.NaN) / 1000),
          2,
        ),
      ),
      tellMedian(
        its.map(({ cpu }) => allMs(cpu)),
        2,
      ),
    ],
    ({ cpu }) => allMs(cpu),
  )
  const late = rows(
    (its) =>
      [
        its.map(({ receipt }) => receipt.p50),
        its.map(({ receipt }) => receipt.p99),
        its.map(({ answer }) => answer.p50),
        its.map(({ answer }) => answer.p99),
      ].map((values) => tellMedian(values, 1)),
    ({ receipt }) => receipt.p99,
  )
  const use = rows(
    (its) => [
      tellMedian(
        its.map((one) => one.use.statements),
        2,
      ),
      tellMedian(
        its.map((one) => one.use.executionMs),
        2,
      ),
      tellMedian(
        its.map((one) => one.use.journalRecords),
        1,
      ),
      tellMedian(its.map((one) => one.use.journalBytes)),
      tellMedian(
        its.map((one) => one.use.redisScripts),
        2,
      ),
    ],
    (one) => one.use.executionMs,
  )
  const costHead = ['ms of processor time a lead', ...PROGRAMS.map(nameProgram), 'all', 'of bare']
  const lateHead = ['ms', 'receipt p50', 'p99', 'answer p50', 'p99', 'receipt p99, of bare']
  const useHead = [
    'asked for one lead',
    'statements',
    'ms of them',
    'journal records',
    'bytes',
    'Redis scripts',
    'ms, of bare',
  ]
  return [table([costHead, ...cost]), table([lateHead, ...late]), table([useHead, ...use])].join('\n\n')
}

function drainTable(all: readonly Of<'drain'>[]): string {
  if (all.length === 0) return ''
  const rows = [...Map.groupBy(all, ({ endpoints }) => endpoints)].flatMap(([endpoints, runs]) =>
    split(runs).map(([product, its]) => [
      `${endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`}, ${product}`,
      tellRuns(its.map(({ perSecond }) => perSecond)),
      tellRuns(
        its.map(({ cpu }) => allMs(cpu)),
        2,
      ),
      product === 'bare' ? '' : ratios(runs, ({ perSecond }) => perSecond),
    ]),
  )
  return table([
    ['after an outage of the worker', 'leads/s', 'ms of processor time a lead', 'leads/s, of bare'],
    ...rows,
  ])
}

function memoryTable(all: readonly Of<'memory'>[]): string {
  if (all.length === 0) return ''
  const rows = split(all).map(([product, its]) => [
    product,
    tellRuns(its.map(({ residentBytes }) => residentBytes / MEGABYTE)),
    product === 'bare' ? '' : ratios(all, ({ residentBytes }) => residentBytes),
  ])
  return table([['a minute after 20,000 leads', 'MB', 'of bare'], ...rows])
}

function split<One extends SideFigures>(runs: readonly One[]): Array<[string, One[]]> {
  return [...Map.groupBy(runs, ({ product }) => product)]
}

/** Compares each run with the other product's run of the same number. */
function ratios<One extends SideFigures>(runs: readonly One[], of: (one: One) => number): string {
  const [ours = [], bare = []] = (['leadwire', 'bare'] as const).map((name) =>
    runs.filter(({ product }) => product === name).map(of),
  )
  const each = ours.map((value, index) => value / (bare[index] ?? Number.NaN))
  return each.length === 1
    ? tellFigure(each[0], 2)
    : `${tellFigure(median(each), 2)} (${each.map((one) => tellFigure(one, 2)).join('; ')})`
}
