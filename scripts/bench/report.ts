import { median } from './spread.ts'

/**
 * A table in Markdown, ready for docs/measurements. The first column holds words and is aligned left; the
 * columns of figures are aligned right.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const columns = head.map((_name, column) => ({
    width: Math.max(4, ...rows.map((row) => (row[column] ?? '').length)),
    isOfFigures: column > 0 && body.every((row) => /^(\d|–|$)/.test(row[column] ?? '')),
  }))
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const pad = (row: readonly string[]): string[] =>
    columns.map(({ width, isOfFigures }, column) => {
      const cell = row[column] ?? ''
      return isOfFigures ? cell.padStart(width) : cell.padEnd(width)
    })
  const rule = columns.map(({ width, isOfFigures }) =>
    isOfFigures ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [line(pad(head)), line(rule), ...body.map((row) => line(pad(row)))].join('\n')
}

/** @param value nothing or NaN if it is unknown */
export function tellFigure(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–'
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** The median of several runs. */
export function tellMedian(values: ReadonlyArray<number | null | undefined>, digits = 0): string {
  const known = values.map((value) => value ?? Number.NaN)
  return tellFigure(known.some((value) => Number.isNaN(value)) ? Number.NaN : median(known), digits)
}

/** The median of several runs, and each of them. */
export function tellRuns(values: ReadonlyArray<number | null | undefined>, digits = 0): string {
  const each = values.map((value) => tellFigure(value, digits))
  return values.length === 1 ? (each[0] ?? '–') : `${tellMedian(values, digits)} (${each.join('; ')})`
}

/** @param program as the processor times name it */
export function nameProgram(program: string): string {
  return program === 'postgres' ? 'PostgreSQL' : program === 'redis' ? 'Redis' : program
}
