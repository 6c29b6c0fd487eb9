import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

const KEY = 'leadwire.scroll'

/** How far down each place of the history was; kept over a reload. */
const depths = new Map<string, number>(readKept())
let place = ''

/** A new place begins at its top, or at what its fragment names; Back and a reload return to where one was. */
export function useScrollMemory() {
  const { key, hash } = useLocation()
  useLayoutEffect(() => {
    place = key
    const depth = depths.get(key)
    const named = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
    if (depth !== undefined) window.scrollTo(0, depth)
    else if (named !== null) named.scrollIntoView()
    else window.scrollTo(0, 0)
  }, [key, hash])

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const remember = () => void depths.set(place, window.scrollY)
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

function readKept(): [string, number][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as [string, number][]) : []
  } catch {
    return []
  }
}
