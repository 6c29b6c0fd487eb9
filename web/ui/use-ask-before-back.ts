import { useEffect, useEffectEvent } from 'react'

type Stay = (event: PopStateEvent) => void
const stays = new Set<Stay>()

/**
 * Call it before the router starts, because listeners run in order and the router's would drop unsaved
 * changes.
 */
export function listenForBack(): void {
  window.addEventListener('popstate', (event) => {
    for (const stay of stays) stay(event)
  })
}

/** With unsaved changes, Back and Forward stay on the page and ask first. */
export function useAskBeforeBack(isUnsaved: boolean, ask: () => void): void {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (!isUnsaved) return undefined
    const here = readPlace(history.state)
    const stay = (event: PopStateEvent) => {
      const there = readPlace(event.state)
      if (here === null || there === null) return
      event.stopImmediatePropagation()
      if (there === here) return
      history.go(here - there)
      askNow()
    }
    stays.add(stay)
    return () => void stays.delete(stay)
  }, [isUnsaved])
}

/** Index of the history entry, as the router counts them; null for an entry that is not the router's. */
function readPlace(state: unknown): number | null {
  const { idx } = (state ?? {}) as { idx?: unknown }
  return typeof idx === 'number' ? idx : null
}
