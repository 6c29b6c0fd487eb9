import { onlineManager, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { toast } from '#web/ui/overlay/toast.ts'

export interface Connection {
  online: boolean
  /** time of the newest data on screen, in milliseconds since the epoch; null without data */
  dataAt: number | null
}

const subscribe = (listener: () => void) => onlineManager.subscribe(listener)
const isOnline = () => onlineManager.isOnline()

/**
 * Tracks whether the browser is online and shows a toast when it is back. The data is then refetched by
 * itself.
 */
export function useConnection(): Connection {
  const queryClient = useQueryClient()
  const online = useSyncExternalStore(subscribe, isOnline)
  const [lostAt, setLostAt] = useState<{ dataAt: number | null } | null>(null)
  useEffect(
    () =>
      onlineManager.subscribe((isBack) => {
        if (isBack) {
          setLostAt(null)
          toast.success('Back online')
          return
        }
        const times = queryClient
          .getQueryCache()
          .getAll()
          .filter((query) => query.isActive())
          .map(({ state }) => state.dataUpdatedAt)
        setLostAt({ dataAt: Math.max(0, ...times) || null })
      }),
    [queryClient],
  )
  return { online, dataAt: lostAt?.dataAt ?? null }
}
