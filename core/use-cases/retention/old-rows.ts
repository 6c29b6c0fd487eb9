import type { Config } from '#core/config/config.ts'
import type { OldestKept } from '#core/data/retention/step.ts'
import type { Retained } from '#core/data/schema/retention-tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'

const DAY_MS = 24 * 3600 * 1000
const FIRST_OF_ITS_TIME = '00000000-0000-7000-8000-000000000000'

/** The variables that configure the periods. */
export type Periods = Pick<Config, 'logs' | 'retention'>

/** Rows of one kind that are removed, or emptied of persons, once they are older than some days. */
export interface OldRows {
  what: Retained
  /** undefined: they are kept for ever */
  days: number | undefined
}

/** Every kind, in the order of its removal: an event goes after its deliveries. */
export function listOldRows({ logs, retention }: Periods): OldRows[] {
  return [
    { what: 'deliveries', days: logs.keepDays },
    { what: 'events', days: logs.keepDays },
    { what: 'unsold_leads', days: retention.unsoldLeadDays },
    { what: 'sold_leads', days: retention.soldLeadDays },
    { what: 'decisions', days: retention.decisionDays },
    { what: 'late_leads', days: retention.decisionDays },
    { what: 'audit_rows', days: retention.auditDays },
  ]
}

/** The oldest row that is kept for so many days. */
export function oldestKept(now: Date, days: number): OldestKept {
  const moment = new Date(now.getTime() - days * DAY_MS)
  return { moment, id: uuidAt(moment, FIRST_OF_ITS_TIME) }
}
