import { overlap } from './overlap.ts'

const CORNERS = ['bottom right', 'bottom left', 'top right'] as const
export type Corner = (typeof CORNERS)[number]

/** Distance from the window's edges, and size of a short toast, in px. */
const EDGE = 16
const WIDTH = 384
const HEIGHT = 60

/**
 * Finds a corner where a toast does not cover the focused element. A dialog makes room by itself
 * (use-toast-room.ts).
 */
export function findClearCorner(): Corner {
  const worked = document.activeElement
  const isInDialog = document.querySelector('[aria-modal=true]') !== null
  if (worked === null || worked === document.body || isInDialog) return CORNERS[0]
  const width = Math.min(WIDTH, window.innerWidth - 2 * EDGE)
  const bottom = window.innerHeight - EDGE - HEIGHT
  const right = window.innerWidth - EDGE - width
  const boxes: Record<Corner, DOMRect> = {
    'bottom right': new DOMRect(right, bottom, width, HEIGHT),
    'bottom left': new DOMRect(EDGE, bottom, width, HEIGHT),
    'top right': new DOMRect(right, EDGE, width, HEIGHT),
  }
  const busy = worked.getBoundingClientRect()
  return CORNERS.find((corner) => !overlap(boxes[corner], busy)) ?? CORNERS[0]
}
