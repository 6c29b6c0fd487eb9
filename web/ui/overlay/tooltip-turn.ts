/** docs/product.md §9: tooltip open delay 700 ms, skip delay 300 ms. */
const OPEN_DELAY_MS = 700
const SKIP_DELAY_MS = 300

/** The tooltip that is shown, of all of them. */
let closeShown: (() => void) | null = null
let closedAt = -Infinity

/** How long a tooltip waits before it opens: the next one after another is there at once. */
export function readOpenDelay() {
  return closeShown !== null || Date.now() - closedAt < SKIP_DELAY_MS ? 0 : OPEN_DELAY_MS
}

/** @param close is called when another tooltip takes the turn */
export function takeTurn(close: () => void) {
  if (closeShown !== close) closeShown?.()
  closeShown = close
}

export function endTurn(close: () => void) {
  if (closeShown !== close) return
  closeShown = null
  closedAt = Date.now()
}
