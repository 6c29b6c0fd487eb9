import { useSearchParams } from 'react-router-dom'
import { NO_LOG_FILTER, type LogFilter } from '../queries/log-filter.ts'

/**
 * Parameters of the filters in the address, with names of their own, because the page behind the dialog may
 * have filters too.
 */
const PARAMETERS: Record<keyof LogFilter, string> = {
  search: 'log-search',
  status: 'log-status',
  event_type: 'log-event',
  period: 'log-period',
  from: 'log-from',
  to: 'log-to',
}

/** Parameters that the dialog clears when it closes. */
export const LOG_FILTER_PARAMETERS = Object.values(PARAMETERS)

export function useLogFilter() {
  const [params, setParams] = useSearchParams()
  const filter: LogFilter = { ...NO_LOG_FILTER }
  for (const name of Object.keys(PARAMETERS) as (keyof LogFilter)[]) {
    filter[name] = params.get(PARAMETERS[name]) ?? ''
  }
  const change = (changed: Partial<LogFilter>) => {
    // Read now, because a delayed change of one filter must not undo a change of another.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed) as [keyof LogFilter, string][]) {
      if (value === '') next.delete(PARAMETERS[name])
      else next.set(PARAMETERS[name], value)
    }
    setParams(next, { replace: true })
  }
  const count = [
    filter.search,
    filter.status,
    filter.event_type,
    filter.period || filter.from || filter.to,
  ].filter((value) => value !== '').length
  return { filter, change, count, clear: () => change(NO_LOG_FILTER) }
}
