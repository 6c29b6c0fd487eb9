import type { KeyboardEvent } from 'react'

/** Moves the focus to the same element in another row, for `movesByRow` of Table. */
export function moveByRow(event: KeyboardEvent<HTMLElement>) {
  const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return
  const row = target.closest('tbody tr')
  if (row === null || !target.matches('a, button')) return
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
  const at = rows.indexOf(row)
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  }
  const next = moves[key]
  if (next === undefined) return
  event.preventDefault()
  const there = controlsOf(rows[next])
  there[Math.min(controlsOf(row).indexOf(target), there.length - 1)]?.focus()
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>('a, button') ?? [])]
}
