import type { LookupAddress } from 'node:dns'
import type { SendResult } from '../exchange-once.ts'
import type { ExchangeJob, ExchangerOptions } from '../exchanger.ts'

/** Messages to a process for exchanges. Requests hold credentials: no message is ever logged. */
export type ToExchangeProcess =
  | ({ type: 'open'; allowedCidrs: readonly string[] } & ExchangerOptions)
  | {
      type: 'exchange'
      id: number
      job: Omit<ExchangeJob, 'clock'>
      /** milliseconds of the exchange's timeout that are already spent */
      spentMs: number
      timeoutMs: number
    }
  | { type: 'abort'; id: number }
  | { type: 'resolved'; id: number; error: { code: string } | null; answers: LookupAddress[] }

/** Messages from a process for exchanges. */
export type FromExchangeProcess =
  | { type: 'ready' }
  /** A handshake with this host begins (handshakes.ts). */
  | { type: 'handshake'; host: string }
  | ({ type: 'handshaken' } & MeasuredHandshake)
  | { type: 'done'; id: number; result: SendResult; cpuMs: number }
  | { type: 'resolve'; id: number; hostname: string; family: number; hints: number }

/** A handshake that has ended, with its cost. */
export interface MeasuredHandshake {
  host: string
  /** undefined if it failed */
  chain: string | undefined
  /** the thread's processor time from the handshake's begin to its end: an upper bound, and exact if it was alone */
  cpuMs: number
  /** whether no other exchange was under way in that process meanwhile */
  wasAlone: boolean
}
