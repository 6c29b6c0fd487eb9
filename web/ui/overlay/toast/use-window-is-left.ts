import { useEffect, useState } from 'react'

/** True while the user is in another window or tab. */
export function useWindowIsLeft() {
  const [left, setLeft] = useState(false)
  useEffect(() => {
    const leave = () => setLeft(true)
    const come = () => setLeft(false)
    window.addEventListener('blur', leave)
    window.addEventListener('focus', come)
    return () => {
      window.removeEventListener('blur', leave)
      window.removeEventListener('focus', come)
    }
  }, [])
  return left
}
