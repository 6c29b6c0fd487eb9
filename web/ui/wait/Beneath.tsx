import { useState, type ReactNode } from 'react'
import { useIsSlow } from './use-is-slow.ts'

export interface BeneathProps {
  /** True once it is known which notices there are. */
  isReady: boolean
  fallback: ReactNode
  children: ReactNode
}

/**
 * Shows notices and the content below them together, because a notice that appears later would move the
 * content. It waits until the notices are known, but not long, and then shows them for good.
 */
export function Beneath({ isReady, fallback, children }: BeneathProps) {
  const isSlow = useIsSlow()
  const [isShown, setShown] = useState(isReady)
  if (!isShown && (isReady || isSlow)) setShown(true)
  return (
    <>
      {!isShown && fallback}
      {/* Rendered from the start, so that its requests begin at once. */}
      <div className={isShown ? 'contents' : 'hidden'}>{children}</div>
    </>
  )
}
