import {
  announceFailing,
  announceRecovered,
  announceSwitchedOff,
  switchOffFailing,
} from '#core/data/webhooks/health/endpoint-notices.ts'
import { hasUnjudged } from '#core/data/webhooks/health/has-unjudged.ts'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Warns of endpoints that keep failing, takes the warning back when they work, switches off those that have failed for days,
 * and tells of every switch-off. Notices and their mails are written in one transaction each, so nothing is said twice and
 * nothing is kept silent; several workers may do this at once.
 */
export async function judgeEndpoints(context: Pick<WorkerContext, 'db' | 'logger'>): Promise<void> {
  const { db, logger } = context
  if (!(await hasUnjudged(db, ENDPOINT_RULE))) return
  await switchOffFailing(db, ENDPOINT_RULE)
  const notices = [
    ...(await db.transaction().execute((trx) => announceRecovered(trx))),
    ...(await db.transaction().execute((trx) => announceFailing(trx, ENDPOINT_RULE))),
    ...(await db.transaction().execute((trx) => announceSwitchedOff(trx))),
  ]
  for (const { webhook_config_id, kind } of notices) {
    logger[kind === 'recovered' ? 'info' : 'warn']({ webhook_config_id, kind }, 'endpoint notice')
  }
}
