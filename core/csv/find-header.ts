import { isSomebody } from '#core/domain/imports/name-columns.ts'
import type { CsvRecord } from './parse-records.ts'

/**
 * Finds the row that names the columns: the first whose number of filled cells is more than two thirds of what most
 * rows have, which passes over titles above it. If that row already has a person's data, the header is the last row
 * before it with more than one filled cell, because a header may leave columns unnamed. If fewer than two rows, or
 * fewer than half, have more than one filled cell, the header is the first row.
 * @param first the first rows of a file that are not empty
 */
export function findHeader(first: readonly CsvRecord[]): number {
  const filled = first.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length)
  const usual = filled.toSorted((a, b) => a - b)[Math.floor(filled.length / 2)] ?? 0
  const isTable = usual > 1 && filled.filter((count) => count > 1).length > 1
  const full = filled.findIndex((count) => count > 1 && count * 3 > usual * 2)
  if (!isTable || full === -1) return first[0]?.row ?? 1
  const isNamed = !isSomebody(first[full]?.cells ?? [])
  const at = isNamed ? full : filled.slice(0, full).findLastIndex((count) => count > 1)
  return first[Math.max(0, at)]?.row ?? 1
}

const LONGEST_TEXT = 100

/** One short text for a row, by which a person recognises it. */
export function showRecord({ row, cells }: CsvRecord): { row: number; text: string } {
  const whole = cells
    .slice(0, LONGEST_TEXT)
    .map((cell) => cell.trim().slice(0, LONGEST_TEXT))
    .join(' | ')
  const text = whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT - 1)}…` : whole
  return { row, text: text.toWellFormed().replaceAll('\0', '\uFFFD') }
}
