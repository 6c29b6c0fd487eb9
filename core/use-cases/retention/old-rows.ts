import type { Kysely } from 'kysely'
import type { Config } from '#core/config/config.ts'
import { emptyOldLeads } from '#core/data/retention/empty-leads.ts'
import { removeDeliveries } from '#core/data/retention/remove-deliveries.ts'
import { removeEvents } from '#core/data/retention/remove-events.ts'
import { removeAuditRows, removeDecisions } from '#core/data/retention/remove-records.ts'
import type { OldestKept, Step } from '#core/data/retention/step.ts'
import type { Retained } from '#core/data/schema/retention-tables.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'

const DAY_MS = 24 * 3600 * 1000
const FIRST_OF_ITS_TIME = '00000000-0000-7000-8000-000000000000'

/** Where the periods are configured. */
export type Periods = Pick<Config, 'logs' | 'retention'>

/** Rows of one kind that are removed once they are older than some days, and one piece of their removal. */
export interface OldRows {
  what: Retained
  /** undefined: they are kept for ever */
  days: number | undefined
  remove: (db: Kysely<Database>, after: string, oldest: OldestKept) => Promise<Step>
}

/** Every kind, in the order of its removal: an event goes after its deliveries. */
export function listOldRows({ logs, retention }: Periods): OldRows[] {
  return [
    { what: 'deliveries', days: logs.keepDays, remove: removeDeliveries },
    { what: 'events', days: logs.keepDays, remove: removeEvents },
    {
      what: 'unsold_leads',
      days: retention.unsoldLeadDays,
      remove: (db, after, oldest) => emptyOldLeads(db, 'unsold_leads', after, oldest),
    },
    {
      what: 'sold_leads',
      days: retention.soldLeadDays,
      remove: (db, after, oldest) => emptyOldLeads(db, 'sold_leads', after, oldest),
    },
    { what: 'decisions', days: retention.decisionDays, remove: removeDecisions },
    { what: 'audit_rows', days: retention.auditDays, remove: removeAuditRows },
  ]
}

/** The oldest row that is kept for so many days. */
export function oldestKept(now: Date, days: number): OldestKept {
  const moment = new Date(now.getTime() - days * DAY_MS)
  return { moment, id: uuidAt(moment, FIRST_OF_ITS_TIME) }
}
