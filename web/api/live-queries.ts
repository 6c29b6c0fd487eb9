import type { Query, QueryClient } from '@tanstack/react-query'

/** Marks a query whose answer tells where leads and deliveries stand. All that are on screen are asked at once, and then tell of the same moment. */
export const TELLS_DELIVERIES = { tells: 'deliveries' } as const

/** Whatever happens to a busy client, nothing on screen is asked about more often. */
const ROUND_MS = 300

/**
 * Asks about everything live again: at once, or where that was just done, soon after. An answer that was already on its way may be
 * older than what it was called for, so that its question is put once more.
 */
export function createRefresh(queryClient: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRound = 0
  const ask = () => {
    timer = undefined
    lastRound = Date.now()
    const asked = queryClient.getQueryCache().findAll({ predicate: follows })
    const late = asked.filter(({ state }) => state.fetchStatus === 'fetching')
    void queryClient.invalidateQueries({ predicate: follows }, { cancelRefetch: false })
    for (const { promise, queryKey } of late) {
      // What is asked by then is newer than the change, and whoever asked for more meanwhile gets it.
      const again = () =>
        void queryClient.invalidateQueries(
          { queryKey, exact: true, predicate: follows },
          { cancelRefetch: false },
        )
      promise?.then(again, again)
    }
  }
  return () => {
    timer ??= setTimeout(ask, Math.max(0, lastRound + ROUND_MS - Date.now()))
  }
}

/** Whether something on screen moves by itself. */
export function hasLive(queryClient: QueryClient): boolean {
  return queryClient.getQueryCache().findAll({ type: 'active', predicate: isLive }).length > 0
}

function isLive({ meta }: Query): boolean {
  return meta?.['tells'] === TELLS_DELIVERIES.tells
}

/** Nothing moves under whoever has loaded more pages and reads on, or says so; and what has failed waits for its button. */
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
