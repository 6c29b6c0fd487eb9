import { useState, type ReactNode } from 'react'
import { useIsSlow } from './use-is-slow.ts'

export interface BeneathProps {
  /** It is known which notices there are. */
  isReady: boolean
  fallback: ReactNode
  children: ReactNode
}

/**
 * Notices that may come, and what stands beneath them: shown together once it is known which are there, because a notice of its own would
 * move all below it, or once that takes long. They stay from then on.
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
