import type { Ack, Ledger } from './ledger.ts'
import type { Load } from './send-leads.ts'
import type { Verdict } from './check-ledger.ts'
import type { World, WorldOrder } from './world.ts'

export type Length = 'quick' | 'long'

/** Prints a figure beside the verdict. */
export type Figure = (name: string, value: string) => void

/** One fault, and what must hold all the same. Beside its own `check`, the ledger's invariants always hold. */
export interface Scenario {
  id: string
  name: string
  /** in words, for the table and the documentation */
  passes: string
  /** why it cannot be done on this machine, where it cannot */
  skip?: () => string | undefined
  world: WorldOrder | ((length: Length) => WorldOrder)
  /** what is offered to the API meanwhile; null where the scenario brings its own leads */
  load: Record<Length, Load | null>
  /** which source the lead with this number comes from; in turns by default */
  choose?: (index: number) => number
  /** how long the drain may stand still */
  drainSeconds?: number
  /** Breaks things beside the load and mends them; returns when all is mended. */
  break: (run: Run) => Promise<void>
  /** Further conditions, each fault in words. */
  check?: (evidence: Evidence) => Promise<string[]> | string[]
}

/** A scenario under way. */
export interface Run {
  world: World
  length: Length
  /** resolves `seconds` after the load began, at once when that is past */
  at: (seconds: number) => Promise<void>
  figure: Figure
  /** Adds to what was met of the fault, by what it is; see judgeMet. */
  meet: (what: string, count: number) => void
  /** I6 for these endpoints, from here */
  watchHealthy: (healthy: NonNullable<Ledger['healthy']>) => void
  /** leads that the scenario itself has put into the database */
  acks: Ack[]
  /** the fault is over: recovery is measured from here; called again, from the last */
  mended: () => void
}

export interface Evidence {
  world: World
  length: Length
  ledger: Ledger
  verdict: Verdict
  figure: Figure
  mendedAt: number
  /** what was met of the fault while it lasted */
  met: Readonly<Record<string, number>>
}
