import { useState, type ReactNode } from 'react'
import { useIsSlow } from './use-is-slow.ts'

export interface BeneathProps {
  /** It is known which notices stand above. */
  isReady: boolean
  fallback: ReactNode
  children: ReactNode
}

/**
 * What stands beneath notices that may come: shown once it is known whether any are there, because they would move it, or once that takes
 * long. It stays from then on.
 */
export function Beneath({ isReady, fallback, children }: BeneathProps) {
  const isSlow = useIsSlow()
  const [isShown, setShown] = useState(isReady)
  if (!isShown && (isReady || isSlow)) setShown(true)
  return (
    <>
      {!isShown && fallback}
      {/* There already, so that what it asks for is not asked later. */}
      <div className={isShown ? 'contents' : 'hidden'}>{children}</div>
    </>
  )
}
