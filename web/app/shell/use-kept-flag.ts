import { useState } from 'react'

/** A boolean of the screen that survives a reload. */
export function useKeptFlag(key: string) {
  const [on, setOn] = useState(() => localStorage.getItem(key) === 'true')
  const change = (next: boolean) => {
    localStorage.setItem(key, String(next))
    setOn(next)
  }
  return [on, change] as const
}
