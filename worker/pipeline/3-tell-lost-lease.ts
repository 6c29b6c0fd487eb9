import type { LostLease } from '#core/data/webhooks/deliveries/log-lost-attempts.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'

/**
 * Logs that an attempt is in the log but did not change its delivery. It is a warning only if another sender had the
 * lease meanwhile, which means that a worker slept. If the owner deleted a webhook during its requests, one line is
 * logged for all of them.
 */
export function createTellLostLease(
  logger: Logger,
): (attempt: { lead_id: string; delivery_id: string; webhook_config_id: string }, lost: LostLease) => void {
  const sayOnce = createSayOnce()
  return function tellLostLease({ lead_id, delivery_id, webhook_config_id }, lost) {
    switch (lost) {
      case 'to_another_sender':
        logger.warn({ lead_id, delivery_id }, 'lease lost to another sender; attempt logged')
        return
      case 'lead_erased':
        logger.info(
          { lead_id, delivery_id },
          'a lead was erased while a request was under way; attempt logged',
        )
        return
      case 'webhook_deleted':
        sayOnce(webhook_config_id, (repeats) => {
          const which = repeats === 0 ? { delivery_id } : { more: repeats }
          const says = 'a webhook was deleted while requests to it were under way; attempts logged'
          logger.info({ webhook_config_id, ...which }, says)
        })
    }
  }
}
