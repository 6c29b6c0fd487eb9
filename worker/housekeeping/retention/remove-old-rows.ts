import { setTimeout as sleep } from 'node:timers/promises'
import {
  dropPartition,
  findExpiredPartitions,
  type LogTable,
} from '#core/data/webhooks/logs/log-partitions.ts'
import {
  removeEndpointHours,
  removeNotices,
  removeOutcomeTellers,
} from '#core/data/webhooks/health/remove-endpoint-history.ts'
import { cancelDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { CANCEL_BATCH, findExpiredOffers } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import { removeLostWebhooks } from '#core/data/realtime/lost-webhooks.ts'
import { removeWebhookChoices } from '#core/data/webhooks/remove-choices.ts'
import { removeToldLeads } from '#core/data/market/notices/new-leads.ts'
import { KEPT_DAYS, removeKeptHours } from '#core/data/operations/overview/kept-hours.ts'
import { removeLateRecords } from '#core/data/market/late/remove-late-records.ts'
import { removeDayChanges } from '#core/data/market/figures/day-sums.ts'
import { removeAbsences } from '#core/data/market/sale/market-absences.ts'
import { removeMarketChanges } from '#core/data/market/sale/market-changes.ts'
import { removeIdempotencyKeys } from '#core/data/operations/remove-idempotency-keys.ts'
import { readClock } from '#core/data/read-clock.ts'
import { removeRestedSessions } from '#core/data/accounts/remove-rested-sessions.ts'
import { emptyImports } from '#core/data/imports/empty-imports.ts'
import { EXPORT_DAYS } from '#core/contract/exports/export.ts'
import { removeOldExports } from '#core/data/exports/remove-exports.ts'
import { CERTIFIED_DAYS } from '#core/contract/webhooks/certification.ts'
import { removeOldCertifications } from '#core/data/webhooks/certifications/make-certification.ts'
import { removeOldRevocationCodes } from '#core/data/leads/revocations/remove-old-codes.ts'
import { removeContactMessages } from '#core/data/operations/contact-messages.ts'
import type { WorkerContext } from '#worker/context.ts'

const DAY_MS = 24 * 3600 * 1000
/** Callers repeat within minutes; two days cover a weekend's outage on their side. */
const IDEMPOTENCY_KEYS_DAYS = 2
/** Health looks back five days at most; a month lets people compare. */
const ENDPOINT_HOURS_DAYS = 30
/** Order caches read the changes at least once an hour, or read everything again. */
const MARKET_CHANGES_DAYS = 1
/** No order asks for the age of a lead above 30 days, without the time in which no worker ran; and no lead waits longer. */
const ABSENCES_DAYS = 90
/** The status page shows a month; a year and a month let an operator compare. */
const PROMISE_HOURS_DAYS = 400
/** A sum is counted within seconds, so after a day no sum needs an older change. */
const DAY_CHANGES_DAYS = 1
/** Servers tell their sockets within seconds. */
const LOST_WEBHOOKS_DAYS = 1
/** Leads are told within a day; those that are held for long may be sold after a week. */
const TOLD_LEADS_DAYS = 60
/** A worker repeats its tally within a second, or when the database is back. */
const OUTCOME_TELLERS_DAYS = 7
const CODES_AT_ONCE = 1000
const TRIES = 5
const BETWEEN_TRIES_MS = 500

/**
 * Removes old rows of small tables (remove-by-age.ts does it for large ones), in the order below. The log loses whole
 * weeks, and offered deliveries whose time is over are cancelled. Any number of workers may do this at once.
 * @param at a time in place of PostgreSQL's. Never pass the time of a machine: if its clock is wrong, all rows may look
 * old
 */
export async function removeOldRows(
  context: Pick<WorkerContext, 'db' | 'logger' | 'config'>,
  at?: Date,
): Promise<void> {
  const { db, logger } = context
  const now = at ?? (await readClock(db))
  const { keepDays, keepBodiesDays } = context.config.logs
  await dropWeeks(context, 'webhook_delivery_log_bodies', keepBodiesDays)
  await dropWeeks(context, 'webhook_delivery_logs', keepDays)
  const moment = daysBefore(now, keepDays)
  const removed = {
    offers: await cancelExpiredOffers(db, now),
    choices: await removeWebhookChoices(db),
    keys: await removeIdempotencyKeys(db, daysBefore(now, IDEMPOTENCY_KEYS_DAYS)),
    told: await removeToldLeads(db, daysBefore(now, TOLD_LEADS_DAYS)),
    hours: await removeEndpointHours(db, daysBefore(now, ENDPOINT_HOURS_DAYS)),
    tellers: await removeOutcomeTellers(db, daysBefore(now, OUTCOME_TELLERS_DAYS)),
    changes: await removeMarketChanges(db, daysBefore(now, MARKET_CHANGES_DAYS)),
    overview: await removeKeptHours(db, daysBefore(now, KEPT_DAYS)),
    absences: await removeAbsences(db, daysBefore(now, ABSENCES_DAYS)),
    ...(await removeLateRecords(db, {
      starts: moment,
      jumps: daysBefore(now, ABSENCES_DAYS),
      hours: daysBefore(now, PROMISE_HOURS_DAYS),
    })),
    days: await removeDayChanges(db, daysBefore(now, DAY_CHANGES_DAYS)),
    webhooks: await removeLostWebhooks(db, daysBefore(now, LOST_WEBHOOKS_DAYS)),
    notices: await removeNotices(db, moment),
    sessions: await removeRestedSessions(db, context.config.auth.inactivitySeconds),
    rows: await emptyImports(db, daysBefore(now, context.config.imports.keepDays)),
    exports: await removeOldExports(db, daysBefore(now, EXPORT_DAYS)),
    certifications: await removeOldCertifications(db, daysBefore(now, CERTIFIED_DAYS)),
    codes: await removeAllOldCodes(db),
    messages: await removeContactMessages(db, daysBefore(now, context.config.contact.keepDays)),
  }
  if (Object.values(removed).some((count) => count > 0)) logger.info(removed, 'removed what is over')
}

/**
 * Cancels offered deliveries that their owner did not decide about in time. Each lead's timeline says so, and they can
 * be resent.
 */
async function cancelExpiredOffers(db: WorkerContext['db'], now: Date): Promise<number> {
  let count = 0
  for (const { client, webhook_config_id } of await findExpiredOffers(db, now)) {
    let cancelled: number
    do {
      cancelled = (await cancelDeliveries(db, client, { webhook_config_id, offered: now }, null)).length
      count += cancelled
    } while (cancelled === CANCEL_BATCH)
  }
  return count
}

async function removeAllOldCodes(db: WorkerContext['db']): Promise<number> {
  let count = 0
  for (let removed = CODES_AT_ONCE; removed === CODES_AT_ONCE; count += removed)
    removed = await removeOldRevocationCodes(db, CODES_AT_ONCE)
  return count
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

async function dropWeeks(
  { db, logger }: Pick<WorkerContext, 'db' | 'logger'>,
  table: LogTable,
  keepDays: number,
): Promise<void> {
  for (const partition of await findExpiredPartitions(db, table, keepDays)) {
    let outcome = await dropPartition(db, table, partition)
    for (let tries = 1; outcome === 'busy' && tries < TRIES; tries += 1) {
      await sleep(BETWEEN_TRIES_MS)
      outcome = await dropPartition(db, table, partition)
    }
    if (outcome === 'dropped') logger.info({ partition }, 'dropped a week of the log')
    if (outcome === 'busy') logger.info({ partition }, 'a week of the log is being read; dropped later')
  }
}
