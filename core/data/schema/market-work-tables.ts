import type { ColumnType, Generated } from 'kysely'
import type { Json, Money, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

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
  late_starts: LateStartsTable
  late_leads: LateLeadsTable
  clock_jumps: ClockJumpsTable
}

/** Events beside the lead that were told, of those that a chore would tell again. */
export interface ToldEventsTable {
  client_user_id: string
  type: string
  key: string
  told_at: Timestamp
}

/** First attempts of sales that began late, until they are judged. */
export interface LateStartsTable {
  delivery_id: string
  event_id: string
  lead_id: string
  client_user_id: string
  begun_at: Timestamp
  due_at: Timestamp
  turn: number
  check_at: Timestamp
}

/** Sold leads that were late because of us, or seem so, with their stations. */
export interface LateLeadsTable {
  assignment_id: string
  lead_id: string
  client_user_id: string
  lead_type: string
  received_at: Timestamp
  sold_at: Timestamp
  planned_at: Timestamp
  begun_at: Timestamp
  /** core/contract/market/late-lead.ts */
  parts: Json
  ours_ms: ColumnType<string, number, never>
  price: Money
  credit: 'none' | 'waiting' | 'unclear' | 'credited'
  /** why there is no credit yet */
  reason: NullableText
  wait_until: NullableTimestamp
  judged_at: Timestamp
  credited_at: NullableTimestamp
  /** the administrator who decided about an unclear one */
  decided_by: NullableText
}

/** Times in which the database's clock jumped. */
export interface ClockJumpsTable {
  id: Generated<string>
  began_at: Timestamp
  ended_at: Timestamp
  jumped_ms: ColumnType<string, number, never>
  noted_at: Timestamp
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
