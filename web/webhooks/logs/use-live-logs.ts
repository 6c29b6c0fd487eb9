import { onlineManager, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { TELLS_DELIVERIES } from '#web/api/live-queries.ts'
import { deliveryLogsQuery } from '../queries/webhook-delivery-logs.ts'
import type { LogFilter } from '../queries/log-filter.ts'
import { useNow } from '#web/ui/use-now.ts'

/**
 * `reading`: the reader has scrolled down, so nothing may move; `past`: no new row can match the chosen time;
 * `searching`: a search for rare words scans the whole log, so it is not repeated.
 */
export type LiveState = 'live' | 'offline' | 'reading' | 'past' | 'searching'

const subscribeOnline = (listener: () => void) => onlineManager.subscribe(listener)

/** The logs, refreshed live while the reader looks at the newest rows. */
export function useLiveLogs(configId: string, filter: LogFilter) {
  const queryClient = useQueryClient()
  const now = useNow()
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline())
  const [isScrolled, setScrolled] = useState(false)
  const query = deliveryLogsQuery(configId, filter)
  const cached = queryClient.getQueryData(query.queryKey)
  const isReading = isScrolled || (cached !== undefined && cached.pages.length > 1)
  const isPast = filter.to !== '' && Date.parse(filter.to) < now
  const isSearching = filter.search !== ''
  const isLive = isOnline && !isReading && !isPast && !isSearching
  const logs = useInfiniteQuery({ ...query, meta: { ...TELLS_DELIVERIES, follows: isLive } })
  const state: LiveState =
    !isOnline || (logs.isError && !logs.isFetchNextPageError)
      ? 'offline'
      : isPast
        ? 'past'
        : isReading
          ? 'reading'
          : isSearching
            ? 'searching'
            : 'live'

  /** Drops the older pages, because they would be refetched at each refresh. */
  const showNewest = useCallback(() => {
    queryClient.setQueryData(query.queryKey, (data) =>
      data === undefined ? data : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    void queryClient.invalidateQueries({ queryKey: query.queryKey })
  }, [queryClient, query.queryKey])
  return { logs, state, setScrolled, showNewest }
}
