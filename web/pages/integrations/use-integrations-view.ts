import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

export type IntegrationsTab = 'webhooks' | 'api' | 'calendar'

const TABS: readonly IntegrationsTab[] = ['webhooks', 'api', 'calendar']

type Changes = Partial<Record<'tab' | 'view' | 'logs' | 'attempt', string | null>>

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
  return {
    tab: TABS.find((tab) => tab === params.get('tab')) ?? 'webhooks',
    configuring: params.get('view') === 'configure',
    logsOf: params.get('logs'),
    attempt: params.get('attempt'),
    go,
  }
}
