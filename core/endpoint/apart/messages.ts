import type { LookupAddress } from 'node:dns'
import type { SendResult } from '../exchange-once.ts'
import type { ExchangeJob, ExchangerOptions } from '../exchanger.ts'

/** What a process for exchanges is told. Requests hold credentials: no message is ever logged. */
export type Order =
  | ({ type: 'open'; allowedCidrs: readonly string[] } & ExchangerOptions)
  | {
      type: 'exchange'
      id: number
      job: Omit<ExchangeJob, 'clock'>
      /** of the exchange's time, in milliseconds */
      spentMs: number
      timeoutMs: number
    }
  | { type: 'abort'; id: number }
  | { type: 'resolved'; id: number; error: { code: string } | null; answers: LookupAddress[] }

/** What it tells. */
export type Report =
  | { type: 'ready' }
  /** A handshake with this host begins (handshakes.ts). */
  | { type: 'handshake'; host: string }
  | ({ type: 'handshaken' } & MeasuredHandshake)
  | { type: 'done'; id: number; result: SendResult; cpuMs: number }
  | { type: 'resolve'; id: number; hostname: string; family: number; hints: number }

/** A handshake that has ended, and what it took. */
export interface MeasuredHandshake {
  host: string
  /** undefined where it failed */
  chain: string | undefined
  /** processor time of the thread from the handshake's begin to its end: at least its own, and exact where it was alone */
  cpuMs: number
  /** no other exchange was under way in that process meanwhile */
  wasAlone: boolean
}
