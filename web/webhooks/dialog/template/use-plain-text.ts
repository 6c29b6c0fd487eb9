import { useState } from 'react'

const KEY = 'leadwire.plain-template'

/** True if the user prefers a plain text field for the template; stored in this browser. */
export function usePlainText(): [boolean, (plain: boolean) => void] {
  const [isPlain, setPlain] = useState(() => localStorage.getItem(KEY) === 'true')
  return [
    isPlain,
    (next) => {
      setPlain(next)
      if (next) localStorage.setItem(KEY, 'true')
      else localStorage.removeItem(KEY)
    },
  ]
}
