import { useUrlFilters } from '#web/hooks/use-url-filters.ts'
import type { EnterpriseView } from './enterprise-view.ts'

const NAMES = ['days', 'from', 'to', 'state', 'webhook', 'group', 'sort', 'find'] as const

/** Keeps the whole view in the URL. */
export function useEnterpriseView() {
  const { values, change } = useUrlFilters(NAMES)
  const { group, sort, find, ...asked } = values
  const view: EnterpriseView = { ...asked, group: group === 'state' ? 'state' : 'webhook', sort, find }
  return { view, asked, change, isNarrowed: asked.state !== '' || asked.webhook !== '' }
}
