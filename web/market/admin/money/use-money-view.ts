import { useSearchParams } from 'react-router-dom'

/** Keeps a tab's filters in the URL, so that a view can be shared. @param names of its query parameters */
export function useMoneyView<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams()
  const view = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<Name, string>
  const change = (changed: Partial<Record<Name, string>>) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | undefined>(changed)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  return { view, change }
}
