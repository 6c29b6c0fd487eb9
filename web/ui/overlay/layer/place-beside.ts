export type Side = 'top' | 'right' | 'bottom' | 'left'
export type Alignment = 'start' | 'center' | 'end'

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface Placement {
  left: number
  top: number
  /** maximum height at this place */
  room: number
}

/** Space kept free between a floating element and the window's edge. */
const MARGIN = 8
const OPPOSITE = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' } as const

/**
 * Places an element beside its anchor: on the requested side, or on the opposite one if only that has room,
 * and never outside the window. All in px of the window.
 */
export function placeBeside(
  anchor: Box,
  popup: Pick<Box, 'width' | 'height'>,
  inWindow: Pick<Box, 'width' | 'height'>,
  wanted: { side: Side; align: Alignment; gap: number },
): Placement {
  const { align, gap } = wanted
  const rooms = {
    top: anchor.top,
    left: anchor.left,
    bottom: inWindow.height - anchor.top - anchor.height,
    right: inWindow.width - anchor.left - anchor.width,
  }
  const isUpright = wanted.side === 'top' || wanted.side === 'bottom'
  const needed = (isUpright ? popup.height : popup.width) + gap + MARGIN
  const other = OPPOSITE[wanted.side]
  const side = rooms[wanted.side] < needed && rooms[other] > rooms[wanted.side] ? other : wanted.side
  const along = { start: 0, center: 0.5, end: 1 }[align]
  const aligned = (start: number, length: number, own: number) => start + along * (length - own)
  const left = isUpright
    ? aligned(anchor.left, anchor.width, popup.width)
    : side === 'right'
      ? anchor.left + anchor.width + gap
      : anchor.left - popup.width - gap
  const room = isUpright ? rooms[side] - gap - MARGIN : inWindow.height - 2 * MARGIN
  const height = Math.min(popup.height, room)
  const top = !isUpright
    ? aligned(anchor.top, anchor.height, popup.height)
    : side === 'bottom'
      ? anchor.top + anchor.height + gap
      : anchor.top - height - gap
  return {
    left: keepInside(left, popup.width, inWindow.width),
    top: keepInside(top, height, inWindow.height),
    room,
  }
}

function keepInside(start: number, length: number, whole: number) {
  return Math.max(MARGIN, Math.min(start, whole - length - MARGIN))
}
