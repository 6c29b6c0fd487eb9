import type { ExportFilters } from '#core/contract/exports/export.ts'
import { leadFilterSchema } from '#core/contract/leads/lead-query.ts'
import type { LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import { readStored } from '#core/read-stored.ts'

/** Writes filters as the query of a list has them. */
export function writeFilters(filter: LeadFilter): ExportFilters {
  const written: ExportFilters = {}
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue
    written[name] = value instanceof Date ? value.toISOString() : String(value)
  }
  return written
}

/** @throws StoredDataError for filters of another version */
export function readFilters(stored: ExportFilters): LeadFilter {
  return readStored(leadFilterSchema, stored, 'the filters of an export')
}
