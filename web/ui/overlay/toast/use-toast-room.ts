import { useLayoutEffect, type RefObject } from 'react'
import type { ToastItem } from '../toast.ts'
import { overlap } from './overlap.ts'

/** CSS variable with the height by which a dialog moves up for the toasts; Modal.tsx reads it. */
const ROOM = '--toast-room'
const GAP = 16

/**
 * Moves an open dialog up if toasts would cover it, because its buttons are at the bottom. This also holds
 * for a dialog that opens or grows meanwhile.
 */
export function useToastRoom(region: RefObject<HTMLElement | null>, toasts: readonly ToastItem[]) {
  useLayoutEffect(() => {
    const own = region.current
    if (own === null || toasts.length === 0) return
    const { style } = document.documentElement
    const makeRoom = () => {
      const box = own.getBoundingClientRect()
      const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal=true]')].at(-1)
      if (dialog === undefined) return
      sizes.observe(dialog)
      if (overlap(box, dialog.getBoundingClientRect())) style.setProperty(ROOM, `${box.height + GAP}px`)
    }
    const sizes = new ResizeObserver(makeRoom)
    // Every layer is a child of the page's body.
    const layers = new MutationObserver(makeRoom)
    layers.observe(document.body, { childList: true })
    makeRoom()
    return () => {
      sizes.disconnect()
      layers.disconnect()
      style.removeProperty(ROOM)
    }
  }, [region, toasts])
}
