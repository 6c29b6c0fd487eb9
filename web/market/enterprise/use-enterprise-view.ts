import { useSearchParams } from 'react-router-dom'
import type { AskedDeliveries, EnterpriseView } from './enterprise-view.ts'

/** Keeps the whole view in the URL, so that it can be shared and Back restores it. */
export function useEnterpriseView() {
  const [search, setSearch] = useSearchParams()
  const read = (name: string) => search.get(name) ?? ''
  const asked: AskedDeliveries = {
    days: read('days'),
    from: read('from'),
    to: read('to'),
    state: read('state'),
    webhook: read('webhook'),
  }
  const view: EnterpriseView = {
    ...asked,
    group: read('group') === 'state' ? 'state' : 'webhook',
    sort: read('sort'),
    find: read('find'),
  }
  const change = (changed: Partial<Record<keyof EnterpriseView, string>>) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  return { view, asked, change, isNarrowed: asked.state !== '' || asked.webhook !== '' }
}
