import { duration } from '../services/step.ts'
import { failedOnce, sum } from './tally.ts'
import type { Tally } from './tally.ts'

/** The parts of a run, several of which may run at once. */
export interface Parts {
  /** A part that throws counts as one failure; the other parts still run. */
  run: (name: string, work: () => Promise<Tally>) => Promise<void>
  atWork: () => string[]
  /** The duration of each part, in the order of their ends. */
  times: () => { name: string; ms: number }[]
  total: () => Tally
}

/**
 * `halted` is called before and after each part; while it is pending, as after Ctrl-C, nothing begins or
 * ends.
 */
export function openParts(halted: () => Promise<void> | undefined): Parts {
  const begun = new Map<string, number>()
  const times: { name: string; ms: number }[] = []
  const tallies: Tally[] = []
  return {
    run: async (name, work) => {
      await halted()
      const startedAt = performance.now()
      begun.set(name, startedAt)
      try {
        tallies.push(await work())
      } catch (error) {
        tallies.push(failedOnce(`${name}: ${error instanceof Error ? error.message : String(error)}`))
      }
      begun.delete(name)
      times.push({ name, ms: performance.now() - startedAt })
      await halted()
    },
    atWork: () =>
      [...begun].map(([name, startedAt]) => `${name} for ${duration(performance.now() - startedAt)}`),
    times: () => times,
    total: () => sum(tallies),
  }
}
