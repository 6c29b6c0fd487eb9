import type { ColumnType, Generated } from 'kysely'
import type { Json, Money, NullableTimestamp, Timestamp } from './column-types.ts'

/** Tables that workers keep beside the market: recalls, leads to be examined, changes, absences and sums of days. */
export interface MarketWorkTables {
  lead_recalls: LeadRecallsTable
  lead_recall_leads: LeadRecallLeadsTable
  undelivered_leads: UndeliveredLeadsTable
  market_changes: MarketChangesTable
  market_clock: MarketClockTable
  market_absences: MarketAbsencesTable
  lead_day_sums: LeadDaySumsTable
  lead_day_changes: LeadDayChangesTable
  told_events: ToldEventsTable
}

/** Events beside the lead that were told, of those that a chore would tell again. */
export interface ToldEventsTable {
  client_user_id: string
  type: string
  key: string
  told_at: Timestamp
}

/** Recalls of the sold leads of a source; one at a time for each source. */
export interface LeadRecallsTable {
  id: Generated<string>
  source_id: string
  from_at: Timestamp
  to_at: Timestamp
  note: string
  created_by: string
  created_at: Timestamp
  ended_at: NullableTimestamp
}

/** The leads that were sold when their recall began; `outcome` is null while one waits. */
export interface LeadRecallLeadsTable {
  recall_id: string
  lead_id: string
  assignment_id: string
  client_user_id: string
  price: Money
  outcome: ColumnType<'returned' | 'skipped' | null, null | undefined, 'returned' | 'skipped'>
}

/** Leads with a finally failed delivery, to be examined (migrations/20261123004900-watch-undelivered.ts). */
export interface UndeliveredLeadsTable {
  id: Generated<string>
  assignment_id: string
  noted_at: Timestamp
  due_at: Timestamp
  /**
   * until then, a request whose webhook was deleted may still reach its endpoint; null if a delivery has finally failed
   */
  leaving_until: NullableTimestamp
}

/** One row: when a worker last noted that it runs. */
export interface MarketClockTable {
  is_only: Generated<boolean>
  seen_at: NullableTimestamp
}

/** Times in which no worker ran. */
export interface MarketAbsencesTable {
  began_at: Date
  ended_at: Date
}

/** The changes that order caches have to read again. */
export interface MarketChangesTable {
  xid: Generated<string>
  orders: Generated<string[]>
  clients: Generated<string[]>
  lead_types: Generated<string[]>
  noted_at: Timestamp
}

export interface LeadDaySumsTable {
  client_user_id: string
  day: string
  zone: string
  form: string
  begins: Timestamp
  ends: Timestamp
  snapshot: string
  tallies: Json
  attempted: number
  delivered: number
}

export interface LeadDayChangesTable {
  xid: Generated<string>
  client_user_id: string
  quarter: Timestamp
  noted_at: Timestamp
}
