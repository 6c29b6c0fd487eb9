import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LOG_FILTER_PARAMETERS } from './logs/use-log-filter.ts'

export type IntegrationsTab = 'webhooks' | 'api' | 'calendar'

const TABS: readonly IntegrationsTab[] = ['webhooks', 'api', 'calendar']

type Changes = Partial<Record<'tab' | 'view' | 'logs' | 'attempt' | 'new', string | null>>

/**
 * Reads the view from the address, so that every view can be linked to and Back leaves it. Closing replaces
 * the history entry, or Back would open the view again.
 */
export function useIntegrationsView() {
  const [params, setParams] = useSearchParams()
  const go = useCallback(
    (changes: Changes, how: { replace?: boolean } = {}) =>
      setParams((current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) next.delete(name)
          else next.set(name, value)
        }
        return next
      }, how),
    [setParams],
  )
  /** Closing the dialog also clears its filters. */
  const closeLogs = useCallback(
    () =>
      go(Object.fromEntries(['logs', 'attempt', ...LOG_FILTER_PARAMETERS].map((name) => [name, null])), {
        replace: true,
      }),
    [go],
  )
  return {
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'webhooks',
    configuring: params.get('view') === 'configure',
    logsOf: params.get('logs'),
    attempt: params.get('attempt'),
    /** true if the user came to create a webhook */
    wantsNew: params.get('new') === 'webhook',
    go,
    closeLogs,
  }
}
