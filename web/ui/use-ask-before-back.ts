import { useEffect, useEffectEvent } from 'react'

type Stay = (event: PopStateEvent) => void
const stays = new Set<Stay>()

/** Must listen before the router does, whose answer to Back takes away what is unsaved: a window's listeners are called in turn. */
export function listenForBack(): void {
  window.addEventListener('popstate', (event) => {
    for (const stay of stays) stay(event)
  })
}

/** While something is unsaved, Back and Forward stay where they are and ask first. */
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

/** Which entry of the history it is, as the router counts them; null for one that is not the router's. */
function readPlace(state: unknown): number | null {
  const { idx } = (state ?? {}) as { idx?: unknown }
  return typeof idx === 'number' ? idx : null
}
