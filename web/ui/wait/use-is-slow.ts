import { useEffect, useState } from 'react'

/** After this time users wonder what is wrong. */
const SLOW_MS = 3000

/** True if the component has been waiting for a while. */
export function useIsSlow() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
