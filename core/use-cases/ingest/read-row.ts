import { describeRowFault, type RowFault } from '#core/domain/imports/judge-row.ts'
import { mapRow } from '#core/domain/imports/map-row.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { readPosted, type Reading } from './read-posted.ts'

/** The import of a row, and its columns. */
export interface RowsOfImport extends SourceCaller {
  id: string
  mapping: readonly string[]
  constants: Readonly<Record<string, string>>
}

/**
 * Reads a row of an import as if its source had posted it, under a key of its own, so that a row taken twice is one
 * lead.
 */
export function readRow(
  { id, mapping, constants, ...source }: RowsOfImport,
  { row, cells, fault }: { row: number; cells: readonly string[]; fault: string | null },
  now: Date,
): Reading {
  if (fault !== null) return { errors: [{ path: '', message: describeRowFault(fault as RowFault) }] }
  const item = mapRow(cells, { mapping, constants })
  return readPosted(source, { item, idempotencyKey: keyOfRow(id, row) }, now)
}

/** This key differs from any that a source sends, because no source knows the import's id. */
export function keyOfRow(importId: string, row: number): string {
  return `import ${importId} row ${row}`
}
