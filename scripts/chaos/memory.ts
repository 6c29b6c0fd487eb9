import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LabProcess } from '../lab/start-process.ts'

/** Preload for a process whose memory is read. */
export const TELL_MEMORY = fileURLToPath(new URL('./preloads/tell-memory.ts', import.meta.url))

const MEGABYTE = 2 ** 20

/** Megabytes after garbage collection: held by the program, and resident. One question at a time. */
export async function askMemory(process: LabProcess): Promise<{ held: number; resident: number }> {
  const { held, resident } = (await process.ask('memory')) as { held: number; resident: number }
  return { held: held / MEGABYTE, resident: resident / MEGABYTE }
}

/** Megabytes of all watched processes, right after each has collected its garbage. */
export interface MemoryReading {
  seconds: number
  /** on V8's heap, and external memory that the heap refers to */
  held: number
  /** the kernel's count, including garbage of native code and fragmentation */
  resident: number
}

/** Megabytes. NaN if unknown: too few readings, or no /proc for the peak. */
export interface MemoryGrowth {
  /** the most held at any reading, above the first */
  held: number
  /** the most resident at any moment, collected or not, above the first reading */
  peak: number
  /**
   * held and resident memory in the last third of the readings, above the third before it, by their medians
   */
  heldCreep: number
  residentCreep: number
  /** held memory by least squares over the last two thirds: in the first third caches fill */
  heldPerHour: number
}

/** Megabytes for each process; a scenario limits what it can show. */
export type MemoryLimits = Partial<Pick<MemoryGrowth, 'held' | 'peak' | 'heldCreep' | 'residentCreep'>>

/**
 * For a minute of faults after a cold start: caches, code and requests in flight are some 5 MB. V8 lets some
 * 130 MB of garbage gather. A body that was kept whole would be 200 MB, and several are in progress at once.
 */
export const FAULT_LIMITS: MemoryLimits = { held: 20, peak: 200 }

const WORDS = {
  held: 'held at most',
  peak: 'peak',
  heldCreep: 'held, creep',
  residentCreep: 'resident, creep',
} as const

/** Reports how memory grew, and returns in words what grew beyond its limit. */
export function judgeGrowth(
  growth: MemoryGrowth,
  limits: MemoryLimits,
  processes: number,
  figure: (name: string, value: string) => void,
): string[] {
  return (['held', 'peak', 'heldCreep', 'residentCreep'] as const).flatMap((key) => {
    const megabytes = growth[key]
    const limit = (limits[key] ?? Infinity) * processes
    const told = `${megabytes > 0 ? '+' : ''}${megabytes.toFixed(1)} MB`
    if (!Number.isNaN(megabytes)) figure(`memory, ${WORDS[key]}`, told)
    // Only the peak may be unknown, because it comes from /proc.
    if (Number.isNaN(megabytes) && limits[key] !== undefined && key !== 'peak')
      return [`memory, ${WORDS[key]}: it was never read`]
    return megabytes > limit ? [`memory, ${WORDS[key]}: ${told} is over the limit of ${limit} MB`] : []
  })
}

export interface MemoryWatch {
  /** @throws if a process did not report its memory */
  stop: () => Promise<MemoryGrowth>
}

const LOOK_MS = 250

/**
 * Reads until stopped; each reading costs a process some 50 ms.
 * @param processes that are neither killed nor frozen meanwhile
 */
export async function watchMemory(processes: readonly LabProcess[], everyMs: number): Promise<MemoryWatch> {
  const startedAt = performance.now()
  const readings: MemoryReading[] = []
  const read = async (): Promise<void> => {
    const told = await Promise.all(processes.map((process) => askMemory(process)))
    readings.push({
      seconds: (performance.now() - startedAt) / 1000,
      held: sum(told.map(({ held }) => held)),
      resident: sum(told.map(({ resident }) => resident)),
    })
  }
  await read()
  let peak = -Infinity
  const looking = setInterval(() => {
    peak = Math.max(peak, sum(processes.map((process) => residentMegabytes(process.pid()))))
  }, LOOK_MS)
  const stopped = new AbortController()
  const reading = (async () => {
    while (!stopped.signal.aborted) {
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      await read()
    }
  })()
  // `stop` reports the failure.
  reading.catch(() => undefined)
  return {
    stop: async () => {
      stopped.abort()
      clearInterval(looking)
      await reading
      return measureGrowth(readings, peak)
    },
  }
}

/** @param peak the most resident memory at any moment */
export function measureGrowth(readings: readonly MemoryReading[], peak: number): MemoryGrowth {
  const [first] = readings
  const third = Math.floor(readings.length / 3)
  const last = readings.slice(readings.length - third)
  const before = readings.slice(readings.length - 2 * third, readings.length - third)
  const creep = (of: (reading: MemoryReading) => number): number =>
    median(last.map(of)) - median(before.map(of))
  return {
    held: Math.max(...readings.map(({ held }) => held)) - (first?.held ?? Number.NaN),
    peak: peak - (first?.resident ?? Number.NaN),
    heldCreep: creep(({ held }) => held),
    residentCreep: creep(({ resident }) => resident),
    heldPerHour: slopePerHour([...before, ...last], ({ held }) => held),
  }
}

/** Growth in an hour, by least squares. */
export function slopePerHour<Reading extends { seconds: number }>(
  readings: readonly Reading[],
  of: (reading: Reading) => number,
): number {
  const mean = (values: number[]): number => sum(values) / values.length
  const x = mean(readings.map(({ seconds }) => seconds))
  const y = mean(readings.map(of))
  const covariance = mean(readings.map((reading) => (reading.seconds - x) * (of(reading) - y)))
  const variance = mean(readings.map(({ seconds }) => (seconds - x) ** 2))
  return (covariance / variance) * 3600
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}
