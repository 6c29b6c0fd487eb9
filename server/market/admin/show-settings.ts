import {
  USUAL_LATE_CREDITS,
  type MarketplaceSettings,
} from '#core/contract/market/money/marketplace-settings.ts'
import { listLeadTypes } from '#core/data/market/lead-types.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import { ADJUSTMENT_HOURS } from '#core/domain/market/judge-adjustment.ts'
import { RETURN_DAYS } from '#core/domain/market/judge-return.ts'
import type { ServerContext } from '../../context.ts'

/** The settings, what counts without them, and what is set elsewhere. */
export async function showSettings({
  db,
  config,
}: Pick<ServerContext, 'db' | 'config'>): Promise<MarketplaceSettings> {
  const { holdHours, windows } = config.market
  const types = await listLeadTypes(db)
  return {
    ...(await readSettings(db)),
    usual: {
      hold_hours: holdHours,
      duplicate_days: windows.duplicateDays,
      resale_days: windows.resaleDays,
      late_credit_daily_dollars: USUAL_LATE_CREDITS,
    },
    fixed: listFixed(config),
    floors: types.map(({ code, label, floor_price }) => ({ code, label, floor_price })),
  }
}

/** The operator or the published terms set these: nobody changes them while the product runs. */
function listFixed(config: ServerContext['config']): MarketplaceSettings['fixed'] {
  const rows: [what: string, value: string, set_by: string][] = [
    ['A client may return a lead for', `${RETURN_DAYS} days`, 'Terms of service'],
    [
      'One administrator may move for one client without a second one',
      `$${config.adjustmentLimit} in ${ADJUSTMENT_HOURS} hours`,
      'ADJUSTMENT_LIMIT',
    ],
    ['Attempts of deliveries are kept', `${config.logs.keepDays} days`, 'LOG_RETENTION_DAYS'],
    ['Their headers and bodies', `${config.logs.keepBodiesDays} days`, 'LOG_BODY_RETENTION_DAYS'],
    [
      'Leads that somebody had keep their person',
      daysOf(config.retention.soldLeadDays),
      'LEAD_RETENTION_DAYS',
    ],
    ['Leads that nobody had', daysOf(config.retention.unsoldLeadDays), 'UNSOLD_LEAD_RETENTION_DAYS'],
    ['Reasons why leads were sold or not', daysOf(config.retention.decisionDays), 'DECISION_RETENTION_DAYS'],
    ['The audit log', daysOf(config.retention.auditDays), 'AUDIT_RETENTION_DAYS'],
    ['Messages of the contact form', `${config.contact.keepDays} days`, 'CONTACT_RETENTION_DAYS'],
    ['Imported rows that became no lead', `${config.imports.keepDays} days`, 'IMPORT_RETENTION_DAYS'],
  ]
  return rows.map(([what, value, set_by]) => ({ what, value, set_by }))
}

function daysOf(days: number | undefined): string {
  return days === undefined ? 'for ever' : `${days} days`
}
