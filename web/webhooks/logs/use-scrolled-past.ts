import { useEffect, useRef } from 'react'

/**
 * Reports when the marked element has scrolled out of view at the top, whichever ancestor scrolls.
 * An element below the view does not count.
 */
export function useScrolledPast(onChange: (isPast: boolean) => void) {
  const mark = useRef<HTMLDivElement>(null)
  const isThere = useRef(false)
  useEffect(() => {
    const element = mark.current
    if (element === null) {
      if (isThere.current) onChange(false)
      isThere.current = false
      return
    }
    isThere.current = true
    const observer = new IntersectionObserver(([entry]) => {
      if (entry === undefined) return
      onChange(!entry.isIntersecting && entry.boundingClientRect.top < innerHeight / 2)
    })
    observer.observe(element)
    return () => observer.disconnect()
  })
  return mark
}
