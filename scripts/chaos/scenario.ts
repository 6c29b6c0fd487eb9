import type { Ack, Ledger } from './ledger.ts'
import type { Load } from './send-leads.ts'
import type { Verdict } from './check-ledger.ts'
import type { World, WorldOrder } from './world.ts'

export type Length = 'quick' | 'long'

/** Prints a figure beside the verdict. */
export type Figure = (name: string, value: string) => void

/**
 * One fault, and the conditions that must still hold. The ledger's invariants hold in addition to its own
 * `check`.
 */
export interface Scenario {
  id: string
  name: string
  /** in words, for the table and the documentation */
  passes: string
  /** the reason why this machine cannot run it, if so */
  skip?: () => string | undefined
  world: WorldOrder | ((length: Length) => WorldOrder)
  /** the load on the API; null if the scenario brings its own leads */
  load: Record<Length, Load | null>
  /** the source of the lead with this number; in turns by default */
  choose?: (index: number) => number
  /** seconds without progress that the drain allows */
  drainSeconds?: number
  /** Breaks things during the load and repairs them; returns when all are repaired. */
  break: (run: Run) => Promise<void>
  /** Further conditions; returns faults in words. */
  check?: (evidence: Evidence) => Promise<string[]> | string[]
}

/** A running scenario. */
export interface Run {
  world: World
  length: Length
  /** resolves `seconds` after the load began; at once if that is past */
  at: (seconds: number) => Promise<void>
  figure: Figure
  /** Counts an effect of the fault, by kind; see judgeMet. */
  meet: (what: string, count: number) => void
  /** I6 for these endpoints, from here */
  watchHealthy: (healthy: NonNullable<Ledger['healthy']>) => void
  /** leads that the scenario itself has inserted into the database */
  acks: Ack[]
  /** the fault is over: recovery is measured from the last call of this */
  mended: () => void
}

export interface Evidence {
  world: World
  length: Length
  ledger: Ledger
  verdict: Verdict
  figure: Figure
  mendedAt: number
  /** effects of the fault while it lasted */
  met: Readonly<Record<string, number>>
}
