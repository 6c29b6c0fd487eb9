import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

const KEY = 'leadwire.scroll'
/** The router's key of the entry with which a document begins; other documents of the tab have it too. */
const FIRST_ENTRY = 'default'

/** Scroll position of each entry in the history; kept over a reload. */
const depths = new Map<string, number>(readKept())
// A page that is opened anew begins at its top, also after another one in this tab.
if (isOpenedAnew()) depths.delete(location.pathname + location.search)
let place = ''
/** True while a page that was reached by Back scrolls to its old position. */
let isReturning = false
const MOST_GROWTH_MS = 10_000
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** A new place starts at its top or at its fragment; Back and a reload restore the scroll position. */
export function useScrollMemory() {
  const location = useLocation()
  const { hash } = location
  const key = placeOf(location)
  useLayoutEffect(() => {
    place = key
    const depth = depths.get(key)
    const named = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
    if (depth !== undefined) return scrollAsItGrows(depth)
    if (named !== null) named.scrollIntoView()
    else window.scrollTo(0, 0)
    return undefined
  }, [key, hash])

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const remember = () => {
      // The position of a page that still grows is not the user's choice.
      if (!isReturning) depths.set(place, window.scrollY)
    }
    const keep = () => {
      sessionStorage.setItem(KEY, JSON.stringify([...depths]))
      history.scrollRestoration = 'auto'
    }
    window.addEventListener('scroll', remember, { passive: true })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scroll', remember)
      window.removeEventListener('pagehide', keep)
    }
  }, [])
}

/**
 * Scrolls to this position as soon as the page is long enough, because lists load after their screen. Stops
 * when the user scrolls, or after ten seconds.
 * @returns a function that stops it
 */
function scrollAsItGrows(depth: number): () => void {
  const end = () => {
    isReturning = false
    growth.disconnect()
    clearTimeout(limit)
    for (const event of BY_HAND) window.removeEventListener(event, end)
  }
  const growth = new ResizeObserver(() => go())
  const limit = setTimeout(() => end(), MOST_GROWTH_MS)
  const go = () => {
    window.scrollTo(0, depth)
    if (Math.abs(window.scrollY - depth) <= 1) end()
  }
  isReturning = true
  for (const event of BY_HAND) window.addEventListener(event, end, { passive: true })
  growth.observe(document.body)
  go()
  return end
}

function placeOf({ key, pathname, search }: { key: string; pathname: string; search: string }): string {
  return key === FIRST_ENTRY ? pathname + search : key
}

function isOpenedAnew(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate'
}

function readKept(): [string, number][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as [string, number][]) : []
  } catch {
    return []
  }
}
