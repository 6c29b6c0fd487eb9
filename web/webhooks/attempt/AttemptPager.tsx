import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { deliveryLogQuery, deliveryLogsQuery } from '../queries/webhook-delivery-logs.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { useLogFilter } from '../logs/use-log-filter.ts'

export interface AttemptPagerProps {
  config: WebhookConfig
  logId: string
  onShow: (logId: string) => void
}

/** Moves to the newer or older row of the list, also with the arrow keys. */
export function AttemptPager({ config, logId, onShow }: AttemptPagerProps) {
  const queryClient = useQueryClient()
  const { filter } = useLogFilter()
  const logs = useInfiniteQuery(deliveryLogsQuery(config.id, filter))
  const ids = logs.data?.pages.flatMap((page) => page.data.map(({ id }) => id)) ?? []
  const at = ids.indexOf(logId)
  const newer = at > 0 ? ids[at - 1] : undefined
  const older = at === -1 ? undefined : ids[at + 1]
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = logs
  const isAtEnd = at !== -1 && older === undefined && hasNextPage

  useEffect(() => {
    // At the last loaded row the next page is loaded; after a failure the list offers the retry.
    if (isAtEnd && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isAtEnd, isFetching, isFetchNextPageError, fetchNextPage])

  useEffect(() => {
    // The neighbours are loaded in advance, because they are one key away.
    for (const id of [newer, older])
      if (id !== undefined) queryClient.query(deliveryLogQuery(id)).catch(() => undefined)
  }, [queryClient, newer, older])
  // A layout effect, because a key may be pressed right after the render.
  useLayoutEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const next = event.key === 'ArrowLeft' ? newer : event.key === 'ArrowRight' ? older : undefined
      if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      // Elements that use the arrow keys themselves: tabs, scrolling blocks, menus.
      const inUse = 'input, textarea, [role=tab], [role=menu], [role=region], [role=alertdialog]'
      if (event.target instanceof Element && event.target.closest(inUse) !== null) return
      event.preventDefault()
      onShow(next)
    }
    // Capture phase, because the dialog stops arrow keys from bubbling.
    addEventListener('keydown', turn, { capture: true })
    return () => removeEventListener('keydown', turn, { capture: true })
  }, [newer, older, onShow])

  return (
    <div role="group" aria-label="Attempts in the list" className="flex flex-wrap items-center gap-1">
      <Button
        variant="quiet"
        size="sm"
        className="px-2!"
        icon={<ChevronLeft aria-hidden className="size-4" />}
        aria-keyshortcuts="ArrowLeft"
        title="Newer attempt (←)"
        disabled={newer === undefined}
        onClick={() => newer !== undefined && onShow(newer)}
      >
        Newer
      </Button>
      <Button
        variant="quiet"
        size="sm"
        className="flex-row-reverse px-2!"
        icon={<ChevronRight aria-hidden className="size-4" />}
        aria-keyshortcuts="ArrowRight"
        title="Older attempt (→)"
        disabled={older === undefined}
        onClick={() => older !== undefined && onShow(older)}
      >
        Older
      </Button>
    </div>
  )
}
