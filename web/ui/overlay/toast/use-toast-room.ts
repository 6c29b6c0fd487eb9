import { useLayoutEffect, type RefObject } from 'react'
import type { ToastItem } from '../toast.ts'
import { overlap } from './overlap.ts'

/** How much a dialog goes up by for the toasts below it; Modal.tsx reads it. */
const ROOM = '--toast-room'
const GAP = 16

/** Toasts that would lie over an open dialog move it up: its buttons are in its foot. */
export function useToastRoom(region: RefObject<HTMLElement | null>, toasts: readonly ToastItem[]) {
  useLayoutEffect(() => {
    const own = region.current
    const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal=true]')].at(-1)
    if (own === null || dialog === undefined || toasts.length === 0) return
    const { style } = document.documentElement
    const box = own.getBoundingClientRect()
    if (overlap(box, dialog.getBoundingClientRect())) style.setProperty(ROOM, `${box.height + GAP}px`)
    return () => void style.removeProperty(ROOM)
  }, [region, toasts])
}
