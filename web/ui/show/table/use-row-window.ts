import { useDeferredValue, useEffect, useRef, useState, type RefObject, type UIEvent } from 'react'

/** Of so many rows all are drawn: what a page or two holds can be searched with the browser's own means. */
const DRAWN_WHOLE = 100
/** Rows beyond what is seen, so that a scroll finds them there, drawn when there is time; the window moves by so many at once. */
const SPARE = 12
const STEP = 8
/** So far beyond its step it stays where it is: rows of other heights, drawn in place of those before, move the list by a few. */
const SLACK = 4
/** Before a frame is measured. */
const USUAL_VIEW = 24
/** So many views from its end a list goes on. */
const NEAR_VIEWS = 2

/** What of a long table is drawn: runs of rows, with room where the others would be. */
export interface RowRun {
  /** pixels above it */
  room: number
  first: number
  /** not included */
  end: number
}

/**
 * Draws of a table with many rows, all about equally high, those that are seen, and the row with the focus with its neighbours, so that the
 * keyboard goes on from where it is.
 * @param usualHeight of a row in px, until they are measured
 * @param onNearEnd when somebody has scrolled to the last rows, and whenever the table is drawn anew while he is there
 */
export function useRowWindow(count: number, usualHeight: number, onNearEnd: () => void) {
  const [rowHeight, setRowHeight] = useState(usualHeight)
  const measuredIn = useRef('')
  const [seen, setSeen] = useState({ first: 0, rows: USUAL_VIEW })
  const frame = useRef<HTMLDivElement>(null)
  const focused = useFocusedRow(frame)
  const look = (element: HTMLDivElement): void => {
    const rowsThere = [...element.querySelectorAll<HTMLTableRowElement>('tr[data-row]')]
    const layout = describeLayout(element, rowsThere[0])
    // Once for each layout: cards differ among themselves, and a height that followed those in sight would move them for ever.
    if (rowsThere.length > 0 && layout !== measuredIn.current) {
      measuredIn.current = layout
      setRowHeight(rowsThere.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0) / rowsThere.length)
    }
    const top = Math.floor(element.scrollTop / rowHeight)
    const rows = Math.ceil(element.clientHeight / rowHeight) + STEP
    setSeen((now) => {
      const isNear = top >= now.first - SLACK && top < now.first + STEP + SLACK
      const first = isNear ? now.first : Math.floor(top / STEP) * STEP
      return now.first === first && now.rows === rows ? now : { first, rows }
    })
  }
  const hasScrolledNear = useRef(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    look(element)
    // At the very end no further scroll would ask for what was refused to the last one, because something else was being loaded.
    if (hasScrolledNear.current && isNearEnd(element)) onNearEnd()
  })
  const isWhole = count <= DRAWN_WHOLE
  const rested = useDeferredValue(seen)
  const drawn = addSpare(seen, rested, count)
  const runs = isWhole ? [{ first: 0, end: count }] : joinRuns(drawn, aroundOf(focused, count))
  return {
    isWhole,
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
      hasScrolledNear.current = isNearEnd(element)
      if (hasScrolledNear.current) onNearEnd()
    },
  }
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_VIEWS * clientHeight
}

/** What makes rows higher or lower: the room for their cells, which may turn them into cards, the size of text, and the columns. */
function describeLayout(frame: HTMLElement, row: HTMLTableRowElement | undefined): string {
  return [frame.clientWidth, getComputedStyle(document.documentElement).fontSize, row?.cells.length].join(' ')
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
type Seen = { first: number; rows: number }

function windowOf({ first, rows }: Seen, count: number, spare: number): Run {
  return {
    first: Math.max(0, Math.min(first, count - rows) - spare),
    end: Math.min(count, first + rows + spare),
  }
}

/** What is seen, with those rows beyond it that are drawn already, or that there was time for. */
function addSpare(seen: Seen, rested: Seen, count: number): Run {
  const window = windowOf(seen, count, 0)
  const [most, had] = [windowOf(seen, count, SPARE), windowOf(rested, count, SPARE)]
  const [first, end] = [Math.max(most.first, had.first), Math.min(most.end, had.end)]
  if (first > window.end || end < window.first) return window
  return { first: Math.min(first, window.first), end: Math.max(end, window.end) }
}

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
