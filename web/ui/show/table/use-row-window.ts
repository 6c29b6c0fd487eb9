import { useDeferredValue, useEffect, useRef, useState, type RefObject, type UIEvent } from 'react'

/** Up to this many rows are all rendered, so that the browser's own search finds them. */
const DRAWN_WHOLE = 100
/** Extra rows outside the view, rendered when there is time; the window moves in steps of STEP rows. */
const SPARE = 12
const STEP = 8
/**
 * Rows beyond a step before the window moves. Rows of different heights shift the list a little, which must
 * not move it back and forth.
 */
const SLACK = 4
/** Rows in view before the frame is measured. */
const USUAL_VIEW = 24
/** The next page is loaded this many view heights before the end. */
const NEAR_VIEWS = 2

/** A run of rendered rows, with empty space in place of the others. */
export interface RowRun {
  /** pixels above the run */
  room: number
  first: number
  /** exclusive */
  end: number
}

/**
 * Virtualises a table with many rows of similar height. It renders the rows in view, and the focused row with
 * its neighbours, so that the keyboard continues from there.
 * @param usualHeight of a row in px, until rows are measured
 * @param onNearEnd called when the user scrolls near the last rows, and at each render while they stay there
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
    // Measured once per layout: cards differ in height, and an average of those in view would keep moving
    // them.
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
    // A call made during another load is ignored, and at the very end no further scroll event repeats it.
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
    /** pixels below the last run */
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

/**
 * Identifies everything that changes row heights: the frame's width (which decides about cards), the text
 * size and the number of columns.
 */
function describeLayout(frame: HTMLElement, row: HTMLTableRowElement | undefined): string {
  return [frame.clientWidth, getComputedStyle(document.documentElement).fontSize, row?.cells.length].join(' ')
}

/**
 * Index of the focused row. It is kept while the focus moves between cells, so that the next one is still
 * rendered.
 */
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

/** Returns the rows in view, plus the spare rows that are rendered already or that there was time for. */
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
