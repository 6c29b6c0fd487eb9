import { useLayoutEffect, useRef } from 'react'
import { placeBeside, type Alignment, type Side } from './place-beside.ts'

export interface PlacementOptions {
  side?: Side
  align?: Alignment
  /** in px */
  gap?: number
  /** True to make it at least as wide as its anchor. */
  asWide?: boolean
}

/**
 * Keeps a floating element beside its anchor while the page scrolls or either one is resized. The element
 * needs `position: fixed`.
 */
export function usePlacement(anchor: HTMLElement | null, options: PlacementOptions = {}) {
  const { side = 'bottom', align = 'end', gap = 4, asWide = false } = options
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = popup.current
    if (own === null || anchor === null) return
    const place = () => {
      const box = anchor.getBoundingClientRect()
      if (asWide) own.style.minWidth = `${box.width}px`
      own.style.maxHeight = ''
      const inWindow = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: own.offsetWidth, height: own.offsetHeight }
      const { left, top, room } = placeBeside(box, size, inWindow, { side, align, gap })
      own.style.left = `${left}px`
      own.style.top = `${top}px`
      own.style.maxHeight = `${room}px`
    }
    place()
    const sizes = new ResizeObserver(place)
    sizes.observe(own)
    sizes.observe(anchor)
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && !own.contains(target)) place()
    }
    window.addEventListener('scroll', onScroll, { capture: true, passive: true })
    window.addEventListener('resize', place)
    return () => {
      sizes.disconnect()
      window.removeEventListener('scroll', onScroll, { capture: true })
      window.removeEventListener('resize', place)
    }
  }, [anchor, side, align, gap, asWide])
  return popup
}
