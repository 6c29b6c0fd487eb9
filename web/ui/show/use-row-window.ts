import { useDeferredValue, useEffect, useRef, useState, type RefObject, type UIEvent } from 'react'

/** Of so many rows all are drawn: what a page or two holds can be searched with the browser's own means. */
const DRAWN_WHOLE = 100
/** Rows beyond what is seen, so that a scroll finds them there; the window moves by so many at once. */
const SPARE = 12
const STEP = 8
/** Before a frame is measured. */
const USUAL_VIEW = 24

/** What of a long table is drawn: runs of rows, with room where the others would be. */
export interface RowRun {
  /** pixels above it */
  room: number
  first: number
  /** not included */
  end: number
}

/**
 * Draws of a table with many rows, all equally high, those that are seen, and the row with the focus with its neighbours, so that the
 * keyboard goes on from where it is.
 * @param onNearEnd when somebody scrolls to the last rows
 */
export function useRowWindow(count: number, rowHeight: number, onNearEnd: () => void) {
  const [seen, setSeen] = useState({ first: 0, rows: USUAL_VIEW })
  const frame = useRef<HTMLDivElement>(null)
  const focused = useFocusedRow(frame)
  const look = (element: HTMLDivElement): void => {
    const first = Math.floor(element.scrollTop / rowHeight / STEP) * STEP
    const rows = Math.ceil(element.clientHeight / rowHeight) + STEP
    setSeen((now) => (now.first === first && now.rows === rows ? now : { first, rows }))
  }
  useEffect(() => {
    if (frame.current !== null) look(frame.current)
  })
  const isWhole = count <= DRAWN_WHOLE
  const settled = useDeferredValue(windowOf(seen, count))
  const focus = aroundOf(focused, count)
  const runs = isWhole ? [{ first: 0, end: count }] : joinRuns(windowOf(seen, count), focus)
  return {
    isWhole,
    /** A row that came just now is drawn at once without what takes long, and whole as soon as there is time. */
    isSettled: (row: number) => isWhole || holds(settled, row) || (focus !== undefined && holds(focus, row)),
    runs: runs.map((run, index): RowRun => {
      const room = (run.first - (runs[index - 1]?.end ?? 0)) * rowHeight
      return { ...run, room }
    }),
    /** pixels under the last run */
    roomAfter: (count - (runs.at(-1)?.end ?? 0)) * rowHeight,
    frame,
    onScroll: (event: UIEvent<HTMLDivElement>) => {
      const element = event.currentTarget
      look(element)
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      if (left < 2 * element.clientHeight) onNearEnd()
    },
  }
}

/** The row that holds the focus. On its way from cell to cell it stays: the next must still be there when it comes. */
function useFocusedRow(frame: RefObject<HTMLDivElement | null>): number | undefined {
  const [focused, setFocused] = useState<number>()
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const come = ({ target }: FocusEvent): void => {
      const row = target instanceof Element ? target.closest('tr')?.getAttribute('data-row') : undefined
      setFocused(row === null || row === undefined ? undefined : Number(row))
    }
    const go = ({ relatedTarget: next }: FocusEvent): void => {
      if (!(next instanceof Node && element.contains(next))) setFocused(undefined)
    }
    element.addEventListener('focusin', come)
    element.addEventListener('focusout', go)
    return () => {
      element.removeEventListener('focusin', come)
      element.removeEventListener('focusout', go)
    }
  }, [frame])
  return focused
}

type Run = Pick<RowRun, 'first' | 'end'>

function windowOf(seen: { first: number; rows: number }, count: number): Run {
  const first = Math.max(0, Math.min(seen.first, count - seen.rows) - SPARE)
  return { first, end: Math.min(count, seen.first + seen.rows + SPARE) }
}

const holds = ({ first, end }: Run, row: number): boolean => row >= first && row < end

function aroundOf(row: number | undefined, count: number): Run | undefined {
  if (row === undefined || row >= count) return undefined
  return { first: Math.max(0, row - 1), end: Math.min(count, row + 2) }
}

function joinRuns(window: Run, other: Run | undefined): Run[] {
  if (other === undefined || (other.first >= window.first && other.end <= window.end)) return [window]
  if (other.end < window.first) return [other, window]
  if (other.first > window.end) return [window, other]
  return [{ first: Math.min(window.first, other.first), end: Math.max(window.end, other.end) }]
}
