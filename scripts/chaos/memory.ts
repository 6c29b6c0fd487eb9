import { readFileSync } from 'node:fs'
import type { Victim } from './process.ts'

/** Megabytes that processes hold, summed, sampled until stopped. NaN where there is no /proc. */
export interface MemoryWatch {
  samples: Array<{ seconds: number; megabytes: number }>
  stop: () => void
}

export function watchMemory(processes: readonly Victim[], everyMs = 250): MemoryWatch {
  const startedAt = performance.now()
  const samples: MemoryWatch['samples'] = []
  const sample = (): void => {
    const megabytes = processes.reduce((sum, process) => sum + residentMegabytes(process.pid()), 0)
    samples.push({ seconds: (performance.now() - startedAt) / 1000, megabytes })
  }
  sample()
  const timer = setInterval(sample, everyMs)
  return {
    samples,
    stop: () => {
      clearInterval(timer)
    },
  }
}

/** The highest reading less the first. */
export function growth({ samples }: MemoryWatch): number {
  const first = samples[0]?.megabytes ?? Number.NaN
  return Math.max(...samples.map(({ megabytes }) => megabytes)) - first
}

/** Megabytes an hour, by least squares, over the last two thirds: the first is for caches to fill. */
export function slopePerHour({ samples }: MemoryWatch): number {
  const late = samples.slice(Math.floor(samples.length / 3))
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(late.map(({ seconds }) => seconds))
  const y = mean(late.map(({ megabytes }) => megabytes))
  const covariance = mean(late.map(({ seconds, megabytes }) => (seconds - x) * (megabytes - y)))
  const variance = mean(late.map(({ seconds }) => (seconds - x) ** 2))
  return (covariance / variance) * 3600
}

function residentMegabytes(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}
