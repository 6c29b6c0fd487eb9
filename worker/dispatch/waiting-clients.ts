import { muchInFlight } from '#core/fairness/judge-room.ts'
import { ROUNDS } from '#core/fairness/limits.ts'
import type { SlotShare, Stay } from './slot-share.ts'

/** Slots that were found for what is due at one endpoint. */
export interface Grant {
  client: string
  endpoint: string
  stays: Stay[]
  /** how many of them, the first, were found while the client had little in flight; the others give way */
  modest: number
  /** how often its endpoint had rung by then: what rings later is not answered by this */
  rung: number
}

/** Deliveries that are about to be planned. */
export interface Coming {
  client: string
  endpoint: string
  count: number
}

/** Clients, and endpoints of theirs, that wait for a slot or for the next round. */
export interface WaitingCounts {
  clients: number
  endpoints: number
}

/** Who has something due, and whose turn it is: told by rings, asked when there is room. */
export interface WaitingClients {
  /**
   * So many deliveries are, or may be, due at this endpoint.
   * @param ids of all of them, where whoever tells knows: once they are taken, nobody asks whether there are more
   * @returns whether its client has little in flight
   */
  hear: (client: string, endpoint: string, count: number, ids?: readonly string[]) => boolean
  /**
   * Finds slots for as many as `most` deliveries, and no more than `allowance` (give-way.ts) for clients who have much in flight
   * already. Whoever has least comes first, of equals who was served longest ago, and of his endpoints the one asked longest ago.
   */
  grant: (most: number, allowance?: number) => Grant[]
  /**
   * Finds slots for what is about to be planned, `most` at most: for clients who have little in flight, and none while anybody waits.
   * Nothing is to be settled for them.
   */
  reserve: (coming: readonly Coming[], most: number) => Grant[]
  /**
   * @param found how many of a grant's slots had something due; fewer than there were means that nothing is left
   * @param taken ids of what was found and is sent
   */
  settle: (grant: Grant, found: number, taken?: readonly string[]) => void
  isEmpty: () => boolean
  /** So many workers send beside each other, this one among them. */
  among: (workers: number) => void
  count: () => WaitingCounts
}

interface Client {
  id: string
  inFlight: number
  /** endpoints that ring, who was asked longest ago first */
  ringing: Map<string, Ringing>
}

interface Ringing {
  /** which ring it was; only with what came after it is there still something to ask for */
  rung: number
  /** slots to look for in one round: as many as rang, twice as many whenever all of them were needed */
  wanted: number
  /** ids of those that are still to be taken; undefined where nobody knows all, or they are many */
  left: Set<string> | undefined
}

/** @param share says who may have a slot, and for how many requests at a time an endpoint is good */
export function createWaitingClients(share: Pick<SlotShare, 'enter'>): WaitingClients {
  const clients = new Map<string, Client>()
  let rings = 0
  /** who has fewer in flight gives way to nobody */
  let much = muchInFlight(1)

  const isModest = ({ inFlight }: Client): boolean => inFlight < much

  const find = (id: string): Client => {
    const known = clients.get(id) ?? { id, inFlight: 0, ringing: new Map<string, Ringing>() }
    clients.set(id, known)
    return known
  }
  const forgetIdle = (client: Client): void => {
    if (client.inFlight === 0 && client.ringing.size === 0) clients.delete(client.id)
  }

  const isEmpty = (): boolean => clients.values().every(({ ringing }) => ringing.size === 0)

  /** One more slot for one of his endpoints that has room; those that were asked go to the end of his line. */
  function findRoom(client: Client, grants: Map<string, Grant>): boolean {
    for (const [endpoint, ringing] of firstOf(client.ringing, ROUNDS.looks)) {
      client.ringing.delete(endpoint)
      client.ringing.set(endpoint, ringing)
      const grant = grants.get(endpoint) ?? {
        client: client.id,
        endpoint,
        rung: ringing.rung,
        stays: [],
        modest: 0,
      }
      const stay = grant.stays.length < ringing.wanted ? share.enter(endpoint, client.id) : undefined
      if (stay === undefined) continue
      // With the same in flight, who was served longest ago comes first: there may be more clients than slots.
      clients.delete(client.id)
      clients.set(client.id, client)
      if (isModest(client)) grant.modest += 1
      grant.stays.push(countIn(client, stay))
      grants.set(endpoint, grant)
      return true
    }
    return false
  }

  function countIn(client: Client, stay: Stay): Stay {
    client.inFlight += 1
    let isInside = true
    const leave = (): void => {
      if (!isInside) return
      isInside = false
      client.inFlight -= 1
      stay.leave()
      forgetIdle(client)
    }
    return { ...stay, leave }
  }

  return {
    hear: (id, endpoint, count, ids) => {
      const client = find(id)
      const { ringing } = client
      rings += 1
      const { wanted, left } = ringing.get(endpoint) ?? { wanted: 0, left: new Set<string>() }
      ringing.set(endpoint, {
        rung: rings,
        wanted: Math.min(ROUNDS.most, wanted + count),
        left: ids === undefined ? undefined : addFew(left, ids),
      })
      return isModest(client)
    },
    grant: (most, allowance = Infinity) => {
      const grants = new Map<string, Grant>()
      const left = { all: most, givingWay: allowance }
      for (const client of leastFirst([...clients.values()].filter(({ ringing }) => ringing.size > 0))) {
        const givesWay = !isModest(client)
        // Who has least has much already, and so has everybody else.
        if (left.all <= 0 || (givesWay && left.givingWay < 1)) break
        if (!findRoom(client, grants)) continue
        left.all -= 1
        if (givesWay) left.givingWay -= 1
      }
      return [...grants.values()]
    },
    reserve: (coming, most) => {
      if (!isEmpty()) return []
      let left = most
      return coming.flatMap(({ client: id, endpoint, count }) => {
        const client = find(id)
        const stays: Stay[] = []
        while (stays.length < count && left > 0 && isModest(client)) {
          const stay = share.enter(endpoint, id)
          if (stay === undefined) break
          stays.push(countIn(client, stay))
          left -= 1
        }
        forgetIdle(client)
        return stays.length === 0 ? [] : [{ client: id, endpoint, stays, modest: stays.length, rung: rings }]
      })
    },
    settle: ({ client: id, endpoint, rung, stays }, found, taken = []) => {
      const client = clients.get(id)
      const ringing = client?.ringing.get(endpoint)
      if (client === undefined || ringing === undefined) return
      for (const delivery of taken) ringing.left?.delete(delivery)
      const isAll = ringing.left?.size === 0
      if (found >= stays.length && !isAll) {
        ringing.wanted = Math.min(ROUNDS.most, Math.max(ringing.wanted, 2 * stays.length))
      } else if (isAll || ringing.rung === rung) {
        client.ringing.delete(endpoint)
        forgetIdle(client)
      }
    },
    among: (workers) => {
      much = muchInFlight(Math.max(1, workers))
    },
    isEmpty,
    count: () => {
      const waiting = [...clients.values()].filter(({ ringing }) => ringing.size > 0)
      return {
        clients: waiting.length,
        endpoints: waiting.reduce((sum, { ringing }) => sum + ringing.size, 0),
      }
    },
  }
}

/** Above so many ids none are tracked; the next poll asks again anyway. */
function addFew(to: ReadonlySet<string> | undefined, ids: readonly string[]): Set<string> | undefined {
  return to === undefined || to.size + ids.length > ROUNDS.most ? undefined : new Set([...to, ...ids])
}

/** Those with least in flight first; who has one more by the time that the next is asked for comes again, behind his equals. */
function* leastFirst(waiting: readonly Client[]): Generator<Client> {
  const equals = Map.groupBy(waiting, ({ inFlight }) => inFlight)
  const most = Math.max(...equals.keys())
  for (let inFlight = 0; inFlight <= most || equals.has(inFlight); inFlight += 1) {
    for (const client of equals.get(inFlight) ?? []) {
      yield client
      if (client.inFlight === inFlight) continue
      const next = equals.get(client.inFlight)
      if (next === undefined) equals.set(client.inFlight, [client])
      else next.push(client)
    }
  }
}

function firstOf<Key, Value>(map: ReadonlyMap<Key, Value>, count: number): Array<[Key, Value]> {
  const first: Array<[Key, Value]> = []
  for (const entry of map) {
    if (first.length === count) break
    first.push(entry)
  }
  return first
}
