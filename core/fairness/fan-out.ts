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
  /** A lead was planned that makes so many deliveries of this client beside its first. */
  note: (client: string, further: number) => void
  /** Those beyond their measure: all but the first delivery of each of their leads give way now. */
  beyond: () => string[]
  /** So many workers plan beside each other, this one among them. */
  setWorkerCount: (workers: number) => void
}

/**
 * A lead's first delivery goes at once, whoever's it is. The further ones are measured by a bucket of each client, so that few webhooks,
 * or few leads, stay in measure; who has many of both waits behind himself with them, though each lead came by itself.
 * Kept in this process, forgotten when it ends.
 * @param now a clock in milliseconds that never goes back
 */
export function createFanOut(now: () => number): FanOut {
  /** what each has taken of his measure */
  const taken = new LRUCache<string, { count: number; at: number }>({ max: FAN_OUT.kept })
  /** asked for with each plan, so only these are looked at */
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

/** Notes what was planned, lead by lead: of what gives way already nothing counts. */
export function noteLeads(fanOut: Pick<FanOut, 'note'>, planned: readonly Planned[]): void {
  for (const ofLead of Map.groupBy(planned, (one) => `${one.event_id} ${one.client_user_id}`).values()) {
    const atOnce = ofLead.filter(({ turn }) => turn === 0).length
    fanOut.note(ofLead[0]?.client_user_id ?? '', atOnce - 1)
  }
}
