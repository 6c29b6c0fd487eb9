import type { CsvRecord } from './parse-records.ts'

/**
 * The row that names the columns: the first with more than two thirds as many filled cells as most rows have, so that titles above it are
 * passed over. The first of all where fewer than two rows, or fewer than half, have more than one.
 * @param first the first rows of a file that are not empty
 */
export function findHeader(first: readonly CsvRecord[]): number {
  const filled = first.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length)
  const usual = filled.toSorted((a, b) => a - b)[Math.floor(filled.length / 2)] ?? 0
  const isTable = usual > 1 && filled.filter((count) => count > 1).length > 1
  const at = isTable ? filled.findIndex((count) => count > 1 && count * 3 > usual * 2) : 0
  return first[at]?.row ?? 1
}

const LONGEST_TEXT = 100

/** A row in one short text, to be known again by. */
export function showRecord({ row, cells }: CsvRecord): { row: number; text: string } {
  const whole = cells
    .slice(0, LONGEST_TEXT)
    .map((cell) => cell.trim().slice(0, LONGEST_TEXT))
    .join(' | ')
  const text = whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT - 1)}…` : whole
  return { row, text: text.toWellFormed().replaceAll('\0', '\uFFFD') }
}
