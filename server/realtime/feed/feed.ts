import type { RealtimeTable } from '#core/contract/realtime/realtime-tables.ts'

/** A row as /rest/v1 shows it: JSON values, and PostgreSQL's text where JSON has no such type. */
export type FeedRow = Readonly<Record<string, unknown>>

/** One change of a row that the listener's account may see, or may see no longer (DELETE). */
export interface RowChange {
  table: RealtimeTable
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  /** ISO 8601 */
  commit_timestamp: string
  /** the table's columns with PostgreSQL's names of their types */
  columns: readonly { name: string; type: string }[]
  /** the row as it is now; null for DELETE */
  record: FeedRow | null
  /** the keys of the row, for UPDATE and DELETE; null for INSERT */
  old_record: FeedRow | null
  /** the person of the account whose row it is; null: shared */
  member_user_id: string | null
}

/** The rows of which a listener may hear. The caller has checked that its role includes these tables. */
export interface FeedListener {
  account_id: string
  /** the agent who listens, and hears of own rows only; undefined for other roles */
  member_user_id: string | undefined
  tables: ReadonlySet<RealtimeTable>
}

/** Tells listeners which rows of their account changed. All listeners of a process share one poll of PostgreSQL. */
export interface Feed {
  /**
   * Tells of every change that is committed after `ready`. Changes of one row come in their order; several changes of a
   * row in quick succession may come as one.
   * @param tell gets the changes of one poll; it must not throw
   * @param resync changes may have been missed: the listener must read again what it shows
   * @returns `ready` resolves when the listener hears of new changes; it waits while PostgreSQL is away
   */
  follow: (
    listener: FeedListener,
    tell: (changes: readonly RowChange[]) => void,
    resync?: () => void,
  ) => { ready: Promise<void>; close: () => void }
  /** Ends the poll, so that the server can stop. Later listeners hear nothing. */
  end: () => void
}
