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
 * Warns of endpoints that keep failing, and takes the warning back when they work again. Switches off those that have
 * failed for days, and notifies of every switch-off. Each notice and its mail are written in one transaction, so
 * nothing is said twice and nothing is left out. Several workers may do this at once.
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
