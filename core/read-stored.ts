import type { ZodType } from 'zod'

/**
 * JSON from the database or a folder that does not fit its schema: a damaged row, or one that another version wrote.
 * The error names the place of the fault, never a value.
 */
export class StoredDataError extends Error {
  override readonly name = 'StoredDataError'
  readonly code = 'stored_data_unreadable'
}

/**
 * Reads stored data by their schema.
 * @param what names them for the log: "a lead", "the headers of a configuration"
 * @throws StoredDataError
 */
export function readStored<Value>(schema: ZodType<Value>, stored: unknown, what: string): Value {
  const read = schema.safeParse(stored)
  if (read.success) return read.data
  const places = read.error.issues.map(({ path, code }) => `${path.join('.') || 'the whole'}: ${code}`)
  throw new StoredDataError(`${what} cannot be read as stored (${places.join(', ')})`)
}

/**
 * Reads stored JSON text by its schema.
 * @throws StoredDataError
 */
export function readStoredJson<Value>(schema: ZodType<Value>, stored: string, what: string): Value {
  let value: unknown
  try {
    value = JSON.parse(stored)
  } catch {
    // The parser's message would quote the text.
    throw new StoredDataError(`${what} cannot be read as stored (no JSON)`)
  }
  return readStored(schema, value, what)
}
