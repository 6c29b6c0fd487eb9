import { useSyncExternalStore } from 'react'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The chosen theme; all controls that choose it stay in step. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, readTheme)
  const choose = (next: Theme) => {
    chooseTheme(next)
    for (const each of listeners) each()
  }
  return [theme, choose] as const
}
