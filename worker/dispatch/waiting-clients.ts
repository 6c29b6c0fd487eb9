import { shareInFlight } from '#core/fairness/judge-room.ts'
import { DISPATCH } from '#core/fairness/limits.ts'
import type { SlotPool, Slot } from './slot-pool.ts'

/** Slots that one endpoint was allotted for its due deliveries. */
export interface Allotment {
  client: string
  endpoint: string
  slots: Slot[]
  /** number of these slots that were allotted while the client was within its share; the others have low priority */
  withinShare: number
  /** the number of the endpoint's last wake-up at that time: this allotment does not answer later wake-ups */
  wakeUp: number
}

/** Deliveries that are about to be planned. */
export interface Coming {
  client: string
  endpoint: string
  count: number
}

/** Clients and endpoints that wait for a slot or for the next claim batch. */
export interface WaitingCounts {
  clients: number
  endpoints: number
}

/**
 * Knows which clients have something due, and who is next. Wake-ups tell it; the dispatcher asks it when slots are
 * free.
 */
export interface WaitingClients {
  /**
   * Says that up to `count` deliveries may be due at this endpoint.
   * @param ids all their ids, if they are known: once these are claimed, nobody asks whether there are more
   * @returns whether the client is within its share
   */
  notify: (client: string, endpoint: string, count: number, ids?: readonly string[]) => boolean
  /**
   * Allots slots for up to `most` deliveries, of which up to `allowance` (limit-low-priority.ts) may be for clients
   * above their share. The client with the fewest in flight comes first, then the one served longest ago. Of its
   * endpoints, the one asked longest ago comes first.
   */
  allot: (most: number, allowance?: number) => Allotment[]
  /**
   * Allots up to `most` slots for deliveries that are about to be planned. Only clients within their share get slots,
   * and nobody gets any while a client waits. Such an allotment needs no `settle`.
   */
  reserve: (coming: readonly Coming[], most: number) => Allotment[]
  /**
   * @param found number of allotted slots for which something was due; fewer than were allotted means that nothing is
   * left
   * @param taken ids of the deliveries that were found and are being sent
   */
  settle: (allotment: Allotment, found: number, taken?: readonly string[]) => void
  isEmpty: () => boolean
  /** Number of workers that send, this one included. */
  setWorkerCount: (workers: number) => void
  count: () => WaitingCounts
}

interface Client {
  id: string
  inFlight: number
  /** its endpoints with something due, the one asked longest ago first */
  due: Map<string, DueEndpoint>
}

interface DueEndpoint {
  /** the number of its last wake-up */
  wakeUp: number
  /**
   * slots to ask for in one claim batch: as many as were due, and twice as many after each batch that needed them all
   */
  wanted: number
  /** ids that are still to be claimed; undefined if not all are known, or they are many */
  left: Set<string> | undefined
}

/** @param slotPool decides who may have a slot, and how many requests at a time an endpoint takes */
export function createWaitingClients(slotPool: Pick<SlotPool, 'enter'>): WaitingClients {
  const clients = new Map<string, Client>()
  let wakeUps = 0
  /** a client with more than this in flight is above its share */
  let clientShare = shareInFlight(1)

  const isWithinShare = ({ inFlight }: Client): boolean => inFlight < clientShare

  const find = (id: string): Client => {
    const known = clients.get(id) ?? { id, inFlight: 0, due: new Map<string, DueEndpoint>() }
    clients.set(id, known)
    return known
  }
  const forgetIdle = (client: Client): void => {
    if (client.inFlight === 0 && client.due.size === 0) clients.delete(client.id)
  }

  const isEmpty = (): boolean => clients.values().every(({ due }) => due.size === 0)

  /**
   * Allots one more slot to an endpoint of the client that has room. Endpoints that were asked go to the end of the
   * client's queue.
   */
  function findRoom(client: Client, allotments: Map<string, Allotment>): boolean {
    for (const [endpoint, due] of firstOf(client.due, DISPATCH.looks)) {
      client.due.delete(endpoint)
      client.due.set(endpoint, due)
      const allotment = allotments.get(endpoint) ?? {
        client: client.id,
        endpoint,
        wakeUp: due.wakeUp,
        slots: [],
        withinShare: 0,
      }
      const slot = allotment.slots.length < due.wanted ? slotPool.enter(endpoint, client.id) : undefined
      if (slot === undefined) continue
      // Among clients with equally many in flight, the one served longest ago comes first: there may be more clients
      // than slots.
      clients.delete(client.id)
      clients.set(client.id, client)
      if (isWithinShare(client)) allotment.withinShare += 1
      allotment.slots.push(countIn(client, slot))
      allotments.set(endpoint, allotment)
      return true
    }
    return false
  }

  function countIn(client: Client, slot: Slot): Slot {
    client.inFlight += 1
    let isInside = true
    const leave = (): void => {
      if (!isInside) return
      isInside = false
      client.inFlight -= 1
      slot.leave()
      forgetIdle(client)
    }
    return { ...slot, leave }
  }

  return {
    notify: (id, endpoint, count, ids) => {
      const client = find(id)
      const { due } = client
      wakeUps += 1
      const { wanted, left } = due.get(endpoint) ?? { wanted: 0, left: new Set<string>() }
      due.set(endpoint, {
        wakeUp: wakeUps,
        wanted: Math.min(DISPATCH.most, wanted + count),
        left: ids === undefined ? undefined : addFew(left, ids),
      })
      return isWithinShare(client)
    },
    allot: (most, allowance = Infinity) => {
      const allotments = new Map<string, Allotment>()
      const left = { all: most, lowPriority: allowance }
      for (const client of leastFirst([...clients.values()].filter(({ due }) => due.size > 0))) {
        const isLowPriority = !isWithinShare(client)
        // The client with the fewest in flight is above its share, so all others are too.
        if (left.all <= 0 || (isLowPriority && left.lowPriority < 1)) break
        if (!findRoom(client, allotments)) continue
        left.all -= 1
        if (isLowPriority) left.lowPriority -= 1
      }
      return [...allotments.values()]
    },
    reserve: (coming, most) => {
      if (!isEmpty()) return []
      let left = most
      return coming.flatMap(({ client: id, endpoint, count }) => {
        const client = find(id)
        const slots: Slot[] = []
        while (slots.length < count && left > 0 && isWithinShare(client)) {
          const slot = slotPool.enter(endpoint, id)
          if (slot === undefined) break
          slots.push(countIn(client, slot))
          left -= 1
        }
        forgetIdle(client)
        return slots.length === 0
          ? []
          : [{ client: id, endpoint, slots, withinShare: slots.length, wakeUp: wakeUps }]
      })
    },
    settle: ({ client: id, endpoint, wakeUp, slots }, found, taken = []) => {
      const client = clients.get(id)
      const due = client?.due.get(endpoint)
      if (client === undefined || due === undefined) return
      for (const delivery of taken) due.left?.delete(delivery)
      const isAll = due.left?.size === 0
      if (found >= slots.length && !isAll) {
        due.wanted = Math.min(DISPATCH.most, Math.max(due.wanted, 2 * slots.length))
      } else if (isAll || due.wakeUp === wakeUp) {
        client.due.delete(endpoint)
        forgetIdle(client)
      }
    },
    setWorkerCount: (workers) => {
      clientShare = shareInFlight(Math.max(1, workers))
    },
    isEmpty,
    count: () => {
      const waiting = [...clients.values()].filter(({ due }) => due.size > 0)
      return {
        clients: waiting.length,
        endpoints: waiting.reduce((sum, { due }) => sum + due.size, 0),
      }
    },
  }
}

/** Above so many ids we stop tracking them; the next poll asks again anyway. */
function addFew(to: ReadonlySet<string> | undefined, ids: readonly string[]): Set<string> | undefined {
  return to === undefined || to.size + ids.length > DISPATCH.most ? undefined : new Set([...to, ...ids])
}

/**
 * The clients with the fewest in flight come first. A client that got a slot comes again, behind those with as many.
 */
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
