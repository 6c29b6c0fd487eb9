import type { Agent } from 'undici'
import type { Programs } from '../start-programs.ts'
import type { BenchContext } from '../services.ts'
import type { BenchClient } from '../set-up-clients.ts'
import type { Aims } from './judge-case.ts'

/** The room of endpoints whose clients get leads all the while; each has a path of its own in it. */
export const OTHERS = 'others'

/** What a case finds: the product under measurement, and the load of this run. */
export interface Stage {
  context: BenchContext
  programs: Programs
  /** connections that the client who is measured has no part in */
  agent: Agent
  /** leads a second that the client gets who is measured */
  rate: number
  /** for which he is measured beside the others */
  seconds: number
  /** the second in a smoke test, which says that it works and not how fast */
  pick: <Size>(whole: Size, small: Size) => Size
}

/** What a case has brought, to be found again when all is over. */
export interface Brought {
  /** deliveries of its clients that PostgreSQL must hold, whatever has become of them */
  planned: number
  /** those that must reach their endpoints, by the endpoints' room */
  arriving?: Readonly<Record<string, number>>
}

/** A case that is ready to be played. */
export interface Disturbance {
  /** everybody beside the client who is measured */
  clients: readonly BenchClient[]
  /** sources that get every fifth lead in his place, in turns */
  instead?: readonly string[]
  /** after he was measured alone, right before he is measured beside them */
  before?: () => Promise<void>
  /** while his leads come */
  disturb: () => Promise<Brought>
  /** when all is over: how much of the same drains in a second where nobody else is */
  drainAlone?: () => Promise<number>
}

/** Who stands beside a client whose leads are measured, and what they do. */
export interface BesideCase {
  name: string
  /** completes "beside …" */
  who: string
  aims?: Partial<Aims>
  prepare: (stage: Stage) => Promise<Disturbance>
}
