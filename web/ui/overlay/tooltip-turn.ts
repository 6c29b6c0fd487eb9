/** Tooltip open delay 700 ms, skip delay 300 ms (docs/product.md §9). */
const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/** Closes the tooltip that is shown; only one is shown at a time. */
let closeShown: (() => void) | null = null
let closedAt = -Infinity

/** Returns the delay before a tooltip opens; right after another one it opens at once. */
export function readOpenDelay() {
  return closeShown !== null || Date.now() - closedAt < SKIP_DELAY_MS ? 0 : OPEN_DELAY_MS
}

/** Closes the tooltip that is shown. @param close called when another tooltip opens */
export function takeTurn(close: () => void) {
  if (closeShown !== close) closeShown?.()
  closeShown = close
}

export function endTurn(close: () => void) {
  if (closeShown !== close) return
  closeShown = null
  closedAt = Date.now()
}
