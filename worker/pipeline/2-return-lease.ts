import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import {
  giveBackLeases,
  type LeaseReturn,
  type UnusedLease,
} from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { failpoint } from '#core/failpoints.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { DeliveryFault } from '../endpoint/delivery-fault.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import type { SendingContext } from '../sending-context.ts'
import { NOT_PREPARED, recordOwnFailure } from './3-record-own-failure.ts'

/**
 * Gives back leases with which nothing was sent, so that nobody has to wait until they end. Each call throws when
 * PostgreSQL does not take it.
 */
export interface LeaseReturns {
  /**
   * The delivery could not be prepared. If the delivery itself is the cause, the failure is counted, and the delivery
   * ends after MOST_OWN_FAILURES tries.
   */
  returnUnprepared: (delivery: ClaimedDelivery, failure: unknown) => Promise<void>
  /**
   * This process slept, or PostgreSQL was slow: the lease could end, and another sender claim the delivery, before this
   * request is over.
   */
  returnTooLate: (delivery: ClaimedDelivery) => Promise<void>
  /** This machine had no socket or no memory for the request; it is tried again after a rest. */
  returnUnconnected: (delivery: ClaimedDelivery) => Promise<void>
  /**
   * It waits: the time is outside the configuration's sending hours, or the mail server has no room for it. A delivery
   * that was meanwhile released, resent or hurried is due then, too.
   */
  returnUntil: (delivery: ClaimedDelivery, opensAt: Date) => Promise<void>
}

export function createLeaseReturns(context: SendingContext): LeaseReturns {
  const { logger } = context
  const sayOnce = createSayOnce()
  const returns = createBatcher<UnusedLease, LeaseReturn>({
    ...context.gathering,
    flush: (leases) => giveBackLeases(context.db, leases, MOST_OWN_FAILURES),
  })

  async function returnUnprepared(delivery: ClaimedDelivery, failure: unknown): Promise<void> {
    const { lead_id, delivery_id, lease_token } = delivery
    const counts = failure instanceof DeliveryFault
    const left = await returns.add({ delivery_id, lease_token, counts, until: null })
    const what =
      left === 'spent'
        ? 'a delivery cannot be prepared'
        : 'a delivery could not be prepared and is tried again'
    logger.error({ err: failure, lead_id, delivery_id }, what)
    if (left !== 'spent') return
    await failpoint('before-own-failure')
    await recordOwnFailure(context, delivery, NOT_PREPARED)
  }

  async function returnTooLate({ lead_id, delivery_id, lease_token }: ClaimedDelivery): Promise<void> {
    logger.warn({ lead_id, delivery_id }, 'a delivery was not sent in time for its lease; it is tried again')
    await returns.add({ delivery_id, lease_token, counts: false, until: null })
  }

  async function returnUnconnected({ delivery_id, lease_token }: ClaimedDelivery): Promise<void> {
    sayOnce('no connection', (repeats) => {
      logger.error(
        { delivery_id, ...(repeats > 0 && { repeats }) },
        'no connection to an endpoint could be opened: this process has as many as it may; deliveries are tried again',
      )
    })
    await returns.add({ delivery_id, lease_token, counts: false, until: null })
  }

  async function returnUntil(delivery: ClaimedDelivery, opensAt: Date): Promise<void> {
    const { delivery_id, lease_token, webhook_config_id, config_version } = delivery
    const until = { opensAt, webhook_config_id, config_version }
    await returns.add({ delivery_id, lease_token, counts: false, until })
  }

  return { returnUnprepared, returnTooLate, returnUnconnected, returnUntil }
}
