import { useState } from 'react'

const KEY = 'leadwire.plain-template'

/** Whether the reader wants the template in a plain text field; kept in this browser. */
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
