import type { Query, QueryClient } from '@tanstack/react-query'

/** Marks a query whose answer tells where deliveries stand. All that are on screen then tell of the same moment. */
export const TELLS_DELIVERIES = { tells: 'deliveries' } as const

const ROUND_MS = 400

/**
 * What one answer shows to have moved, all others on screen are asked about at once: the numbers beside live rows would else be those of
 * their own last question. A round in which nothing is new is the last.
 */
export function followDeliveries(queryClient: QueryClient): void {
  const known = new WeakMap<Query, unknown>()
  const moved = new Set<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRound = 0
  const ask = () => {
    timer = undefined
    lastRound = Date.now()
    const only = moved.size === 1 ? [...moved][0] : undefined
    moved.clear()
    void queryClient.invalidateQueries(
      { predicate: (query) => query !== only && tellsDeliveries(query) && follows(query) },
      { cancelRefetch: false },
    )
  }
  const queries = queryClient.getQueryCache()
  queries.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const query = queries.get(event.query.queryHash)
    if (query === undefined || !tellsDeliveries(query)) return
    const isNew = known.has(query) && known.get(query) !== query.state.data
    known.set(query, query.state.data)
    if (!isNew) return
    moved.add(query)
    timer ??= setTimeout(ask, Math.max(0, lastRound + ROUND_MS - Date.now()))
  })
}

function tellsDeliveries({ meta }: Query): boolean {
  return meta?.['tells'] === TELLS_DELIVERIES.tells
}

/** Nothing moves under whoever has loaded more pages and reads on, or says so. */
function follows({ meta, state }: Query): boolean {
  const { data } = state
  const isLong =
    typeof data === 'object' &&
    data !== null &&
    'pages' in data &&
    Array.isArray(data.pages) &&
    data.pages.length > 1
  return meta?.['follows'] !== false && !isLong
}
