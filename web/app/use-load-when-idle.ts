import { useEffect } from 'react'
import { fetchPart } from './reload-when-stale.ts'

/**
 * Loads a part of the screen as soon as the page is idle. A failure is ignored, because opening the part tries again.
 * @param load the same function in every render
 * @param onLoaded as well
 */
export function useLoadWhenIdle(load: () => Promise<unknown>, onLoaded: () => void = ignore) {
  useEffect(() => whenIdle(() => void fetchPart(load).then(onLoaded, ignore)), [load, onLoaded])
}

function ignore() {}

/** Safari lacks requestIdleCallback. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 2000 })
  return () => cancelIdleCallback(handle)
}
