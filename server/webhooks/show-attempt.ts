import { isClientEvent } from '#core/contract/events.ts'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import { findRelatedAttempts } from '#core/data/webhooks/logs/related-attempts.ts'
import { maxAttempts } from '#core/domain/webhooks/retry-schedule.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { tellHours } from './tell-hours.ts'

/**
 * One attempt with its request, response and timing.
 * @param client whose attempt it must be; undefined for an administrator, who reads any
 * @throws AppError not_found
 */
export async function showAttempt(
  { db, config }: ServerContext,
  client: string | undefined,
  id: string,
): Promise<DeliveryLogDetail> {
  const log = await findDeliveryLog(db, client, id)
  if (log === undefined) throw new AppError('not_found', 'Delivery not found')
  const max_attempts = maxAttempts({ stepSeconds: config.webhooks.retryScheduleSeconds })
  const stored = isClientEvent(log.event_type) ? log.event_id : (log.lead_id ?? log.event_id)
  const related = await findRelatedAttempts(db, { ...log, lead_id: stored })
  return { ...tellHours(log), ...related, max_attempts, bodies_kept_days: config.logs.keepBodiesDays }
}
