import type { Agent } from 'undici'
import type { Programs } from '../start-programs.ts'
import type { BenchContext } from '../services.ts'
import type { BenchClient } from '../set-up-clients.ts'
import type { Aims } from './judge-case.ts'

/** The room of endpoints whose clients get leads throughout; each has its own path in it. */
export const OTHERS = 'others'

/** The setting of a case: the product under measurement, and the load of this run. */
export interface Stage {
  context: BenchContext
  programs: Programs
  /** connections that the measured client does not use */
  agent: Agent
  /** leads a second for the measured client */
  rate: number
  /** duration of the measurement beside the others */
  seconds: number
  /** old rows for a case that removes some */
  rows: number
  /** returns the second value in a smoke test, which shows that it works and not how fast */
  pick: <Size>(whole: Size, small: Size) => Size
}

/** The deliveries that a case caused, to be found again at the end. */
export interface Brought {
  /** deliveries of its clients that PostgreSQL must hold, in any status */
  planned: number
  /** deliveries that must reach their endpoints, by the endpoints' room */
  arriving?: Readonly<Record<string, number>>
}

/** A case that is ready to run. */
export interface Disturbance {
  /** all clients except the measured one */
  clients: readonly BenchClient[]
  /** sources that get every fifth lead in place of the measured client's, in turns */
  instead?: readonly string[]
  /** runs after the measurement alone, right before the measurement beside the others */
  before?: () => Promise<void>
  /** runs while the measured client's leads arrive */
  disturb: () => Promise<Brought>
  /** runs at the end: deliveries a second of the same load without anybody else */
  drainAlone?: () => Promise<number>
  /** runs when everything has been measured */
  after?: () => Promise<void>
}

/** The neighbours of a measured client, and what they do. */
export interface BesideCase {
  name: string
  /** the rest of the title "beside …" */
  who: string
  aims?: Partial<Aims>
  /** settings of PostgreSQL */
  settings?: readonly string[]
  prepare: (stage: Stage) => Promise<Disturbance>
}
