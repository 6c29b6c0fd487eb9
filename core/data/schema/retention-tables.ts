import type { ColumnType, Generated } from 'kysely'
import type { NullableText, NullableTimestamp } from './column-types.ts'

/** The kinds of rows that are removed, or emptied of persons, by their age. */
export const RETAINED = [
  'deliveries',
  'events',
  'unsold_leads',
  'sold_leads',
  'decisions',
  'late_leads',
  'audit_rows',
] as const
export type Retained = (typeof RETAINED)[number]

/** The progress of the removal, for each kind of old rows. */
export interface RetentionProgressTable {
  what: Retained
  /** nothing is left to do up to this id */
  reached: Generated<string>
  /** rows from before this moment are gone, or soon will be */
  removed_until: NullableTimestamp
  /** how many rows were removed in all */
  removed: ColumnType<string, number | undefined, number>
  /** the worker that removes them now, until its lease ends */
  holder: NullableText
  lease_until: NullableTimestamp
  /** when it last came to its end */
  ended_at: NullableTimestamp
}

/** Counts of removed deliveries by their outcome, for each lead and client. */
export interface RemovedOutcomesTable {
  lead_id: string
  client_user_id: string
  attempted: number
  delivered: number
  failed: number
}
