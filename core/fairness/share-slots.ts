import { SHARE } from './limits.ts'

/** How an endpoint is known: `new` until it has answered, `slow` once an exchange takes too long, else `proved`. */
export type Standing = 'new' | 'proved' | 'slow'

/** What may be taken of one endpoint's due deliveries. */
export interface Grant {
  client: string
  endpoint: string
  most: number
}

export interface SlotShare {
  /** Something of this endpoint is due. Rings of one endpoint are one. */
  ring: (client: string, endpoint: string) => void
  /**
   * What to claim now: whoever holds least comes first, and of his endpoints the one that was served longest ago. Counts as
   * taken until {@link SlotShare.settle}.
   * @param most deliveries in all
   */
  grant: (most: number) => Grant[]
  /** A slot for a delivery that is known already, if its client and endpoint may have one now; it counts as granted. */
  take: (client: string, endpoint: string) => Grant | undefined
  /** What a claim brought of a grant. Fewer than granted: nothing of the endpoint is left; else it goes on ringing. */
  settle: (grant: Grant, took: number) => void
  /** A delivery that was taken begins its exchange; `end` gives its slot back. `answered`: in time, with anything at all. */
  begin: (grant: Pick<Grant, 'client' | 'endpoint'>) => { end: (result: { answered: boolean }) => void }
  /** a delivery that was taken is not sent after all */
  giveBack: (grant: Pick<Grant, 'client' | 'endpoint'>) => void
  /** Takes what another process, or this one before its restart, has learned. */
  learn: (endpoint: string, standing: Standing) => void
  standingOf: (endpoint: string) => Standing
  count: () => { used: number; ringing: number }
}

type Counts = Record<Standing, number>

interface Endpoint {
  id: string
  client: Client
  standing: Standing
  isRinging: boolean
  /** taken, whether begun or not */
  used: number
  /** when each exchange in flight began, oldest first */
  began: Map<symbol, number>
  /** what it may have at once, as far as it has shown */
  limit: number
}

interface Client {
  id: string
  endpoints: Map<string, Endpoint>
  /** of each standing, who was served longest ago first */
  ringing: Record<Standing, Set<Endpoint>>
  used: number
  usedBy: Counts
  servedAt: number
}

const STANDINGS: readonly Standing[] = ['proved', 'new', 'slow']

/**
 * Shares a process' slots between clients, and a client's between his endpoints. Nobody may hold more than a few times what is
 * left free, so the free never run out: alone one may have most of them, of several who want all they can each has as much as the
 * others, and a reserve is kept for who holds next to nothing. Endpoints that have not answered yet, and those that are slow,
 * draw on smaller pools by the same rule. What finds no room stays where it is, as a row in PostgreSQL.
 * @param options.slots exchanges in flight in this process
 * @param options.endpointLimit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 */
export function createSlotShare(options: {
  slots: number
  endpointLimit: number
  now: () => number
}): SlotShare {
  const { slots, now } = options
  const reserve = Math.ceil(slots * SHARE.reserve)
  const pools: Counts = {
    proved: slots,
    new: Math.floor(slots * SHARE.partOfNew),
    slow: Math.floor(slots * SHARE.partOfSlow),
  }
  const clients = new Map<string, Client>()
  const ringingClients = new Set<Client>()
  const busy = new Set<Endpoint>()
  const learned = new Map<string, Standing>()
  const usedBy: Counts = { proved: 0, new: 0, slow: 0 }
  let used = 0
  let turn = 0

  function find(clientId: string, endpointId: string): Endpoint {
    const client = clients.get(clientId) ?? newClient(clientId)
    clients.set(clientId, client)
    const endpoint = client.endpoints.get(endpointId) ?? newEndpoint(client, endpointId)
    client.endpoints.set(endpointId, endpoint)
    return endpoint
  }

  function newEndpoint(client: Client, id: string): Endpoint {
    const standing = learned.get(id) ?? 'new'
    const limit = standing === 'proved' ? options.endpointLimit : SHARE.unprovedAtOnce
    return { id, client, standing, isRinging: false, used: 0, began: new Map(), limit }
  }

  function count(endpoint: Endpoint, by: number): void {
    endpoint.used += by
    endpoint.client.used += by
    endpoint.client.usedBy[endpoint.standing] += by
    usedBy[endpoint.standing] += by
    used += by
    if (endpoint.used > 0) busy.add(endpoint)
    else busy.delete(endpoint)
  }

  function setRinging(endpoint: Endpoint, isRinging: boolean): void {
    const { client, standing } = endpoint
    endpoint.isRinging = isRinging
    // Again at the end of the line, if it was in it.
    client.ringing[standing].delete(endpoint)
    if (isRinging) client.ringing[standing].add(endpoint)
    if (STANDINGS.some((kind) => client.ringing[kind].size > 0)) ringingClients.add(client)
    else ringingClients.delete(client)
  }

  function setStanding(endpoint: Endpoint, standing: Standing): void {
    if (endpoint.standing === standing) return
    const { used: taken, isRinging } = endpoint
    count(endpoint, -taken)
    setRinging(endpoint, false)
    endpoint.standing = standing
    count(endpoint, taken)
    setRinging(endpoint, isRinging)
  }

  /** Silence makes slow before its end does. */
  function noticeSilence(at: number): void {
    for (const endpoint of [...busy]) {
      const [oldest] = endpoint.began.values()
      if (oldest !== undefined && at - oldest > SHARE.slowMs) setStanding(endpoint, 'slow')
    }
  }

  const mayHaveMore = (client: Client): boolean =>
    client.used < SHARE.always || client.used < SHARE.greed * (slots - used - reserve)

  function mayHaveMoreOf(client: Client, kind: Standing): boolean {
    if (kind === 'proved') return true
    if (kind === 'new' && client.usedBy.new >= SHARE.unprovedPerClient) return false
    return client.usedBy[kind] < SHARE.greed * (pools[kind] - usedBy[kind])
  }

  const hasRoom = ({ standing, limit, used: taken }: Endpoint): boolean =>
    taken < Math.max(1, Math.floor(standing === 'slow' ? Math.min(limit, SHARE.slowAtOnce) : limit))

  function pickEndpoint(client: Client): Endpoint | undefined {
    for (const kind of STANDINGS) {
      if (client.ringing[kind].size === 0 || !mayHaveMoreOf(client, kind)) continue
      for (const endpoint of client.ringing[kind]) if (hasRoom(endpoint)) return endpoint
    }
    return undefined
  }

  function occupy(endpoint: Endpoint): void {
    turn += 1
    endpoint.client.servedAt = turn
    count(endpoint, 1)
    if (endpoint.isRinging) setRinging(endpoint, true)
  }

  function judge(endpoint: Endpoint, answered: boolean, tookMs: number): void {
    if (tookMs > SHARE.slowMs) setStanding(endpoint, 'slow')
    else if (answered) setStanding(endpoint, 'proved')
    if (!answered) endpoint.limit = Math.max(1, endpoint.limit / 2)
    else if (endpoint.standing === 'proved') {
      endpoint.limit = Math.min(options.endpointLimit, endpoint.limit * 2)
    }
    learned.set(endpoint.id, endpoint.standing)
  }

  function forgetIdle(endpoint: Endpoint): void {
    if (endpoint.used > 0 || endpoint.isRinging) return
    endpoint.client.endpoints.delete(endpoint.id)
    if (endpoint.client.endpoints.size === 0) clients.delete(endpoint.client.id)
  }

  return {
    ring: (client, id) => {
      const endpoint = find(client, id)
      if (!endpoint.isRinging) setRinging(endpoint, true)
    },
    grant: (most) => {
      noticeSilence(now())
      const granted = new Map<Endpoint, Grant>()
      const wanting = new Set(ringingClients)
      for (let left = most; left > 0 && used < slots; left -= 1) {
        let endpoint: Endpoint | undefined
        while (endpoint === undefined) {
          const client = leastServed(wanting)
          if (client === undefined) return [...granted.values()]
          endpoint = mayHaveMore(client) ? pickEndpoint(client) : undefined
          if (endpoint === undefined) wanting.delete(client)
        }
        const grant = granted.get(endpoint) ?? { client: endpoint.client.id, endpoint: endpoint.id, most: 0 }
        grant.most += 1
        granted.set(endpoint, grant)
        occupy(endpoint)
      }
      return [...granted.values()]
    },
    take: (client, id) => {
      noticeSilence(now())
      const endpoint = find(client, id)
      const mayHave =
        used < slots &&
        mayHaveMore(endpoint.client) &&
        mayHaveMoreOf(endpoint.client, endpoint.standing) &&
        hasRoom(endpoint)
      if (mayHave) occupy(endpoint)
      else forgetIdle(endpoint)
      return mayHave ? { client, endpoint: id, most: 1 } : undefined
    },
    settle: (grant, took) => {
      const endpoint = find(grant.client, grant.endpoint)
      const unused = grant.most - took
      count(endpoint, -unused)
      if (unused > 0) setRinging(endpoint, false)
      forgetIdle(endpoint)
    },
    begin: (grant) => {
      const endpoint = find(grant.client, grant.endpoint)
      const exchange = Symbol(grant.endpoint)
      const startedAt = now()
      endpoint.began.set(exchange, startedAt)
      return {
        end: ({ answered }) => {
          endpoint.began.delete(exchange)
          count(endpoint, -1)
          judge(endpoint, answered, now() - startedAt)
          forgetIdle(endpoint)
        },
      }
    },
    giveBack: (grant) => {
      const endpoint = find(grant.client, grant.endpoint)
      count(endpoint, -1)
      forgetIdle(endpoint)
    },
    learn: (id, standing) => {
      learned.set(id, standing)
    },
    standingOf: (id) => learned.get(id) ?? 'new',
    count: () => ({
      used,
      ringing: [...ringingClients].reduce(
        (sum, { ringing }) => sum + STANDINGS.reduce((some, kind) => some + ringing[kind].size, 0),
        0,
      ),
    }),
  }
}

function newClient(id: string): Client {
  return {
    id,
    endpoints: new Map(),
    ringing: { proved: new Set(), new: new Set(), slow: new Set() },
    used: 0,
    usedBy: { proved: 0, new: 0, slow: 0 },
    servedAt: 0,
  }
}

/** Who holds least; of equals, who was served longest ago. */
function leastServed(clients: ReadonlySet<Client>): Client | undefined {
  let best: Client | undefined
  for (const client of clients) {
    if (
      best === undefined ||
      client.used < best.used ||
      (client.used === best.used && client.servedAt < best.servedAt)
    ) {
      best = client
    }
  }
  return best
}
