/** core/contract/imports/lead-import.ts: IMPORT_LIMITS.columns */
const MOST_COLUMNS = 300
const LONGEST_NAME = 100
/** Column names contain neither; the first row of a file without names may. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i
const PHONE = /^\+?(?:[\s().-]*\d){10,15}$/

/** Whether a row contains a phone number or an e-mail address, and so is a person's data. */
export function isSomebody(cells: readonly string[]): boolean {
  return cells.some((cell) => EMAIL.test(cell.trim()) || PHONE.test(cell.trim()))
}

export type ColumnNaming =
  | { ok: true; columns: string[] }
  | { ok: false; fault: 'too_many_columns' | 'not_text' | 'no_header' }

/**
 * The names of a file's columns, from its first row: none empty, none twice. A first row with a person's data is no
 * header, and is not stored as one.
 */
export function nameColumns(cells: readonly string[]): ColumnNaming {
  if (cells.length > MOST_COLUMNS) return { ok: false, fault: 'too_many_columns' }
  if (cells.some((cell) => /[\0\uFFFD]/.test(cell))) return { ok: false, fault: 'not_text' }
  if (isSomebody(cells)) return { ok: false, fault: 'no_header' }
  const seen = new Map<string, number>()
  return {
    ok: true,
    columns: cells.map((cell, index) => {
      const name = cell.trim().replaceAll(/\s+/g, ' ').slice(0, LONGEST_NAME).toWellFormed()
      if (name === '') return `Column ${index + 1}`
      const times = (seen.get(name.toLowerCase()) ?? 0) + 1
      seen.set(name.toLowerCase(), times)
      return times === 1 ? name : `${name} (${times})`
    }),
  }
}
