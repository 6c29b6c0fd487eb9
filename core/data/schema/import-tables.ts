import type { Generated } from 'kysely'
import type { Delimiter, Encoding, ImportState } from '#core/contract/imports/lead-import.ts'
import type { Json, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Files of leads, their bytes and their rows. */
export interface ImportTables {
  lead_imports: LeadImportsTable
  lead_import_parts: LeadImportPartsTable
  lead_import_rows: LeadImportRowsTable
}

export interface LeadImportsTable {
  id: Generated<string>
  source_id: string
  created_by: string
  file_name: string
  /** the file as it was uploaded, while it is kept */
  file_id: NullableText
  /** a person in it was erased */
  keeps_no_file: Generated<boolean>
  state: Generated<ImportState>
  size: number
  received: Generated<number>
  encoding: Encoding | null
  delimiter: Delimiter | null
  header: Generated<number | null>
  head: Json
  suggested_encoding: Generated<Encoding | null>
  tries: Generated<number>
  columns: Generated<string[]>
  mapping: Generated<string[]>
  constants: Json
  rows: Generated<number>
  taken_to: Generated<number>
  taken: Generated<number>
  accepted: Generated<number>
  duplicates: Generated<number>
  refused: Generated<number>
  failure: NullableText
  failure_row: Generated<number | null>
  created_at: Timestamp
  started_at: NullableTimestamp
  finished_at: NullableTimestamp
  touched_at: Timestamp
  emptied_at: NullableTimestamp
}

export interface LeadImportPartsTable {
  import_id: string
  at: number
  bytes: Buffer
}

export interface LeadImportRowsTable {
  import_id: string
  row: number
  cells: Json
  fault: NullableText
  outcome: NullableText
  errors: Json
}
