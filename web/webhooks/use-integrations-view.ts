import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LOG_FILTER_PARAMETERS } from './logs/use-log-filter.ts'

export type IntegrationsTab = 'webhooks' | 'api' | 'calendar'

const TABS: readonly IntegrationsTab[] = ['webhooks', 'api', 'calendar']

type Changes = Partial<Record<'tab' | 'view' | 'logs' | 'attempt' | 'new', string | null>>

/**
 * What the address says is on screen; so every view of the page can be linked to, and Back leads out of it.
 * What closes again replaces its entry, or Back would open it a second time.
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
  /** The filters go with the dialog. */
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
    /** somebody came to create one */
    wantsNew: params.get('new') === 'webhook',
    go,
    closeLogs,
  }
}
