import { useEffect, useState } from 'react'

/** After so long somebody wonders what is the matter. */
const SLOW_MS = 3000

/** Whether what is waited for has not come in a while. */
export function useIsSlow() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}
