import { LRUCache } from 'lru-cache'
import { FAN_OUT } from './limits.ts'

/** A delivery that was planned. */
interface Planned {
  event_id: string
  client_user_id: string
  turn: number
}

/** Clients whose leads make many deliveries each. */
export interface FanOut {
  /** Notes a planned lead that makes `further` deliveries for this client beside its first. */
  note: (client: string, further: number) => void
  /** Clients beyond their token bucket: all but the first delivery of each of their leads have priority 1 now. */
  beyond: () => string[]
  /** Number of workers that plan, this one included. */
  setWorkerCount: (workers: number) => void
}

/**
 * Each lead's first delivery goes at once. Further deliveries take tokens from the client's bucket. A client with few
 * webhooks, or few leads, stays within it. A client with many of both delays only itself, although each lead came
 * alone. Kept in this process, forgotten when it ends.
 * @param now a clock in milliseconds that never goes back
 */
export function createFanOut(now: () => number): FanOut {
  /** tokens that each client has taken */
  const taken = new LRUCache<string, { count: number; at: number }>({ max: FAN_OUT.kept })
  /** clients beyond their bucket: each plan asks for them, so only these are examined */
  const over = new Set<string>()
  let part = 1
  const takenNow = ({ count, at }: { count: number; at: number }): number =>
    count - ((now() - at) / 1000) * FAN_OUT.perSecond * part

  return {
    note: (client, further) => {
      if (further <= 0) return
      const known = taken.get(client)
      const before = known === undefined ? 0 : Math.max(0, takenNow(known))
      const count = before + further
      taken.set(client, { count, at: now() })
      if (count > FAN_OUT.atOnce * part) over.add(client)
    },
    beyond: () => {
      for (const client of over) {
        const one = taken.get(client)
        if (one === undefined || takenNow(one) <= FAN_OUT.atOnce * part) over.delete(client)
      }
      return [...over]
    },
    setWorkerCount: (workers) => {
      part = 1 / Math.max(1, workers)
    },
  }
}

/** Notes planned deliveries, lead by lead. Deliveries below priority 0 do not count. */
export function noteLeads(fanOut: Pick<FanOut, 'note'>, planned: readonly Planned[]): void {
  for (const ofLead of Map.groupBy(planned, (one) => `${one.event_id} ${one.client_user_id}`).values()) {
    const atOnce = ofLead.filter(({ turn }) => turn === 0).length
    fanOut.note(ofLead[0]?.client_user_id ?? '', atOnce - 1)
  }
}
