import type { CpuTimes } from './cpu.ts'
import type { DrainResult } from './drain.ts'
import type { BytesPerDelivery } from './footprint.ts'
import { table } from './report.ts'
import { median } from './spread.ts'

interface Drained {
  /** the subject, with the number of its workers where that is not one */
  name: string
  min: number
  median: number
  max: number
  cpu: CpuTimes
  cpuOfAll: number
  perDelivery: BytesPerDelivery
}

export interface DrainSummary {
  drained: Drained[]
  /** of the medians: what the pipeline does with one worker, by each other; and more workers by one */
  ratios: Record<string, number>
}

export function summarise(results: readonly DrainResult[]): DrainSummary {
  const names = [...new Set(results.map(nameOf))]
  const drained = names.map((name) => {
    const mine = results.filter((result) => nameOf(result) === name)
    const speeds = mine.map(({ perSecond }) => perSecond)
    const cpu = medians(mine.map((result) => result.cpu))
    const cpuOfAll = Object.values(cpu).reduce((sum, used) => sum + used, 0)
    const perDelivery = medians(mine.map((result) => ({ ...result.perDelivery }))) as Record<
      keyof BytesPerDelivery,
      number
    >
    return {
      name,
      min: Math.min(...speeds),
      median: median(speeds),
      max: Math.max(...speeds),
      cpu,
      cpuOfAll,
      perDelivery,
    }
  })
  const pipeline = drained.find(({ name }) => name === 'pipeline')?.median ?? Number.NaN
  const ratios = drained
    .filter(({ name }) => name !== 'pipeline')
    .map(({ name, median: other }) =>
      name.startsWith('pipeline')
        ? [`${name} / pipeline`, other / pipeline]
        : [`pipeline / ${name}`, pipeline / other],
    )
  return { drained, ratios: Object.fromEntries(ratios) as Record<string, number> }
}

/** One line as soon as a turn has ended. */
export function drainLine(result: DrainResult): string {
  const { perSecond, lost, repeated, bytes } = result
  const programs = Object.entries(result.cpu).map(([name, used]) => `${name} ${whole(used)}`)
  return `  ${nameOf(result).padEnd(27)} ${whole(perSecond).padStart(5)}/s · CPU µs: ${programs.join(', ')} · ${bytes} bytes · lost ${lost}, repeated ${repeated}`
}

export function drainTable({ drained, ratios }: DrainSummary): string {
  const programs = Object.keys(drained[0]?.cpu ?? {})
  const rows = drained.map(({ name, min, median: middle, max, cpu, cpuOfAll }) => [
    name,
    ...[middle, min, max].map(whole),
    ...programs.map((program) => whole(cpu[program] ?? Number.NaN)),
    whole(cpuOfAll),
  ])
  const head = ['', 'per s', 'min', 'max', ...programs.map((name) => `${name} µs`), 'all µs']
  const bytes = drained.map(({ name, perDelivery }) => [
    name,
    ...[perDelivery.redisJob, perDelivery.redisTraffic, perDelivery.tables, perDelivery.wal].map(whole),
  ])
  const bytesHead = ['bytes per delivery', 'Redis: job', 'Redis: traffic', 'PG: tables', 'PG: WAL']
  const lines = Object.entries(ratios).map(([name, ratio]) => `  ${name}: ${ratio.toFixed(2)}`)
  return `${table([head, ...rows])}\n\n${table([bytesHead, ...bytes])}\n\n${lines.join('\n')} (ratios of the medians)`
}

function nameOf({ subject, workers }: DrainResult): string {
  return workers === 1 ? subject : `${subject}, ${workers} workers`
}

function medians(of: ReadonlyArray<Record<string, number>>): Record<string, number> {
  const names = Object.keys(of[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(of.map((one) => one[name] ?? Number.NaN))]))
}

function whole(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(0)
}
