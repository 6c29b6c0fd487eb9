import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Marks a query that shows the status of leads or deliveries. All such queries on screen are asked together,
 * so that they show the same moment.
 */
export const TELLS_DELIVERIES = { tells: 'deliveries' } as const
/** Marks a live query that changes only when the stream says so, and that alone is no reason to open it. */
export const TELLS_ALONG = { ...TELLS_DELIVERIES, opens: false } as const

/** Minimum time between two refreshes, however busy the client is. */
const ROUND_MS = 300

/**
 * Creates a function that refreshes all live queries: at once, or within a short time after the last refresh.
 * A query that is already in flight may return an older answer, so it is asked once more.
 * @param isAsked which of them
 */
export function createRefresh(
  queryClient: QueryClient,
  isAsked: (query: Query) => boolean = () => true,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRound = 0
  const asks = (query: Query) => follows(query) && isAsked(query)
  const ask = () => {
    timer = undefined
    lastRound = Date.now()
    const asked = queryClient.getQueryCache().findAll({ predicate: asks })
    const late = asked.filter(({ state }) => state.fetchStatus === 'fetching')
    void queryClient.invalidateQueries({ predicate: asks }, { cancelRefetch: false })
    for (const { promise, queryKey } of late) {
      // By then every new answer is newer than the change. Pages that were loaded meanwhile are kept.
      const again = () =>
        void queryClient.invalidateQueries(
          { queryKey, exact: true, predicate: asks },
          { cancelRefetch: false },
        )
      promise?.then(again, again)
    }
  }
  return () => {
    timer ??= setTimeout(ask, Math.max(0, lastRound + ROUND_MS - Date.now()))
  }
}

/** True if a live query is on screen that the stream should be opened for. */
export function hasLive(queryClient: QueryClient): boolean {
  const isOpening = (query: Query) => isLive(query) && opensStream(query)
  return queryClient.getQueryCache().findAll({ type: 'active', predicate: isOpening }).length > 0
}

/** False for a live query that is marked with {@link TELLS_ALONG}. */
export function opensStream({ meta }: Query): boolean {
  return meta?.['opens'] !== false
}

function isLive({ meta }: Query): boolean {
  return meta?.['tells'] === TELLS_DELIVERIES.tells
}

/**
 * True if a live query is to be refreshed. We skip long lists that somebody reads, queries that opt out, and
 * failed ones, which wait for their button.
 */
function follows(query: Query): boolean {
  const { data, fetchStatus } = query.state
  if (data === undefined && fetchStatus !== 'fetching') return false
  const isLong =
    typeof data === 'object' &&
    data !== null &&
    'pages' in data &&
    Array.isArray(data.pages) &&
    data.pages.length > 1
  return isLive(query) && query.meta?.['follows'] !== false && !isLong
}
