import type { Generated } from 'kysely'
import type { ExportKind, ExportState } from '#core/contract/exports/export.ts'
import type { Json, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

/** Files that a worker makes because somebody asked for them. */
export interface ExportTables {
  exports: ExportsTable
}

export interface ExportsTable {
  id: Generated<string>
  /** whose rows: the account, or the administrator */
  account_id: string
  asked_by: string
  /** only rows of this person of the account */
  member_user_id: NullableText
  /** asked for with an administrator's rights: rows of all accounts */
  is_of_all: Generated<boolean>
  kind: ExportKind
  /** as a query of the list has them */
  filters: Json
  state: Generated<ExportState>
  rows_done: Generated<number>
  rows_all: Generated<number | null>
  /** the name of its object in the bucket `exports` */
  file_name: string
  size: string | null
  failure: NullableText
  /** how often it was begun; the fencing token of the worker that makes it */
  tries: Generated<number>
  lease_until: NullableTimestamp
  created_at: Timestamp
  started_at: NullableTimestamp
  finished_at: NullableTimestamp
}
