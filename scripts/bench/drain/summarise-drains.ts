import type { CpuTimes } from '../cpu.ts'
import { median } from '../spread.ts'
import type { DrainResult } from './drain.ts'
import type { BytesPerDelivery } from './footprint.ts'

interface Drained {
  /** the subject, with its number of workers if that is not one */
  name: string
  min: number
  median: number
  max: number
  cpu: CpuTimes
  cpuOfAll: number
  perDelivery: BytesPerDelivery
}

/** The ratio of the pipeline with one worker to another subject, or of several workers to one. */
interface DrainRatio {
  name: string
  /** of turns that followed each other, so that other load of the machine affected both */
  pairs: number[]
  median: number
}

export interface DrainSummary {
  drained: Drained[]
  ratios: DrainRatio[]
}

/** @param results of complete turns; each turn drained every subject once */
export function summariseDrains(results: readonly DrainResult[]): DrainSummary {
  const subjects = [...Map.groupBy(results, nameDrained)]
  const speedsOf = (mine: readonly DrainResult[]): number[] => mine.map(({ perSecond }) => perSecond)
  const drained = subjects.map(([name, mine]): Drained => {
    const speeds = speedsOf(mine)
    const cpu = medians(mine.map((result) => result.cpu))
    return {
      name,
      min: Math.min(...speeds),
      median: median(speeds),
      max: Math.max(...speeds),
      cpu,
      cpuOfAll: Object.values(cpu).reduce((sum, used) => sum + used, 0),
      perDelivery: medians(mine.map((result) => ({ ...result.perDelivery }))) as Record<
        keyof BytesPerDelivery,
        number
      >,
    }
  })
  const pipeline = speedsOf(results.filter((result) => nameDrained(result) === 'pipeline'))
  const ratios = subjects
    .filter(([name]) => name !== 'pipeline')
    .map(([name, mine]) => {
      const isPipeline = name.startsWith('pipeline')
      const pairs = speedsOf(mine).map((other, turn) => {
        const own = pipeline[turn] ?? Number.NaN
        return isPipeline ? other / own : own / other
      })
      return {
        name: isPipeline ? `${name} / pipeline` : `pipeline / ${name}`,
        pairs,
        median: median(pairs),
      }
    })
  return { drained, ratios }
}

export function nameDrained({ subject, workers }: Pick<DrainResult, 'subject' | 'workers'>): string {
  return workers === 1 ? subject : `${subject}, ${workers} workers`
}

function medians(of: ReadonlyArray<Record<string, number>>): Record<string, number> {
  const names = Object.keys(of[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(of.map((one) => one[name] ?? Number.NaN))]))
}
