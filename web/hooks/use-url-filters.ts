import { useSearchParams } from 'react-router-dom'

/**
 * Keeps filters in the URL, so that a view can be shared and Back restores it. An absent one is an empty text.
 * @param names of the query parameters
 */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams()
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Record<
    Name,
    string
  >
  const change = (changed: Partial<Record<Name, string>>) => {
    // Read now, because a delayed change of one filter must not undo a change of another.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries<string | undefined>(changed)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  return { values, change }
}

/** Whether any of these filters is set. */
export function isAnySet(values: Readonly<Record<string, string>>): boolean {
  return Object.values(values).some((value) => value !== '')
}
