import { createBatcher } from '#core/pace/batch.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import {
  giveBackLeases,
  type LeaseReturn,
  type UnusedLease,
} from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { isUnanswered, wasAsked } from '#core/domain/webhooks/breaker.ts'
import { findSendingTime } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { failpoint } from '#core/failpoints.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'
import { isOurs } from '#core/endpoint/own-shortage.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { weighAttempt } from '#core/endpoint/weigh-attempt.ts'
import type { HeavyPayloads } from '../dispatch/heavy-payloads.ts'
import type { Slot, Strain } from '../dispatch/slot-pool.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import type { SendingContext } from '../sending-context.ts'
import { MOST_OWN_FAILURES } from '../limits.ts'
import { traceExchange } from '../endpoint/trace-exchange.ts'
import { DeliveryFault } from '../endpoint/delivery-fault.ts'
import { prepareDelivery } from '../endpoint/prepare-delivery.ts'
import { createSettingsReader, type SendingSettings } from '../endpoint/read-settings.ts'
import type { Traces } from '../dispatch/keep-traces.ts'
import type { SendClaimed, Sent } from '../dispatch/track-in-flight.ts'
import type { RecordAttempt } from './3-record-attempt.ts'
import { NOT_PREPARED, recordOwnFailure } from './3-record-own-failure.ts'

/**
 * Consumes: a delivery that this worker has claimed (worker/dispatch). Emits: one signed request; its answer goes to
 * 3-record-attempt. Safe to run twice because: a sender needs the delivery's lease, which the database gives to one
 * sender for one attempt. If nothing was sent, the lease is given back after a rest. A delivery that cannot be prepared
 * ends after MOST_OWN_FAILURES tries.
 */
export function createSendDelivery(
  context: SendingContext,
  {
    recordAttempt,
    heavy,
    traces,
  }: { recordAttempt: RecordAttempt; heavy: Pick<HeavyPayloads, 'make' | 'note'>; traces: Traces },
): SendClaimed {
  const { config, logger, metrics, tracing } = context
  const readSettings = createSettingsReader(context)
  const sayOnce = createSayOnce()
  const returns = createBatcher<UnusedLease, LeaseReturn>({
    ...context.gathering,
    flush: (leases) => giveBackLeases(context.db, leases, MOST_OWN_FAILURES),
  })

  /** @returns undefined if the configuration was deleted after the claim, and the delivery with it */
  async function prepare(
    delivery: ClaimedDelivery,
  ): Promise<{ settings: SendingSettings; request: WebhookRequest } | undefined> {
    const settings = await readSettings(delivery)
    if (settings === undefined) return undefined
    const { webhook_config_id: id, config_version: version } = delivery
    const request = await heavy.make(id, version, () => prepareDelivery(config, settings, delivery))
    await failpoint('before-send', id)
    return { settings, request }
  }

  /**
   * Nothing was sent, so nobody has to wait for the lease to run out. A delivery that fails by itself is counted, and
   * after enough tries it ends.
   * @throws when PostgreSQL does not take that
   */
  async function giveBack(delivery: ClaimedDelivery, failure: unknown): Promise<void> {
    const { delivery_id, lease_token } = delivery
    const counts = failure instanceof DeliveryFault
    const left = await returns.add({ delivery_id, lease_token, counts, until: null })
    const what =
      left === 'spent'
        ? 'a delivery cannot be prepared'
        : 'a delivery could not be prepared and is tried again'
    logger.error({ err: failure, delivery_id }, what)
    if (left !== 'spent') return
    await failpoint('before-own-failure')
    await recordOwnFailure(context, delivery, NOT_PREPARED)
  }

  /**
   * This process slept, or PostgreSQL was slow: another sender could claim the delivery before this request would be
   * over.
   */
  async function leaveUnsent({ delivery_id, lease_token }: ClaimedDelivery): Promise<void> {
    logger.warn({ delivery_id }, 'a delivery was not sent in time for its lease; it is tried again')
    await returns.add({ delivery_id, lease_token, counts: false, until: null })
  }

  /** This machine had no socket or no memory for the request; it is tried again after a rest. */
  async function leaveForWant({ delivery_id, lease_token }: ClaimedDelivery): Promise<void> {
    sayOnce('no connection', (repeats) => {
      logger.error(
        { delivery_id, ...(repeats > 0 && { repeats }) },
        'no connection to an endpoint could be opened: this process has as many as it may; deliveries are tried again',
      )
    })
    await returns.add({ delivery_id, lease_token, counts: false, until: null })
  }

  /**
   * The time is outside the configuration's sending hours. A delivery that was released, resent or hurried meanwhile is
   * due when they begin.
   */
  async function leaveForLater(delivery: ClaimedDelivery, opensAt: Date): Promise<void> {
    const { delivery_id, lease_token, webhook_config_id, config_version } = delivery
    const until = { opensAt, webhook_config_id, config_version }
    await returns.add({ delivery_id, lease_token, counts: false, until })
  }

  async function send(delivery: ClaimedDelivery, slot: Slot, mayBegin = () => true): Promise<Sent> {
    const claimedAt = performance.now()
    let prepared
    try {
      prepared = await prepare(delivery)
    } catch (error) {
      await giveBack(delivery, error)
    }
    if (prepared !== undefined && !mayBegin()) {
      await leaveUnsent(delivery)
      prepared = undefined
    }
    if (prepared === undefined) return { againMs: undefined, exchangeMs: undefined }
    const { settings, request } = prepared
    const opensAt = findSendingTime(settings.hours, delivery.claimed_at)
    if (opensAt > delivery.claimed_at) {
      await leaveForLater(delivery, opensAt)
      return { againMs: undefined, exchangeMs: undefined, isPostponed: true }
    }
    const endExchange = metrics.beginExchange()
    // The database's clock, as far as it is known here: the claim told the time.
    const begunAt = new Date(delivery.claimed_at.getTime() + performance.now() - claimedAt)
    const exchange = () =>
      traceExchange(tracing, request, () =>
        context.transport.send(request, { client: delivery.client_user_id, access: settings.access }),
      )
    const result = await slot.exchange(exchange, readStrain).finally(endExchange)
    // The exchange with the endpoint is over; the rest is our work, and the dispatcher limits it (`mostOpen`).
    slot.leave()
    if (isOurs(result.exchange)) {
      await leaveForWant(delivery)
      return { againMs: undefined, exchangeMs: undefined }
    }
    heavy.note(delivery, weighAttempt(result.request, result))
    await failpoint('after-send')
    const retryInSeconds = await recordAttempt({
      delivery,
      begunAt,
      request: result.request,
      result,
      rules: settings.answerRules,
      hours: settings.hours,
    })
    await failpoint('after-record')
    return {
      againMs: retryInSeconds === undefined ? undefined : retryInSeconds * 1000,
      exchangeMs: result.timing.total_ms,
    }
  }

  /** A failure here is ours, not the endpoint's. The delivery becomes due again when its lease ends. */
  async function sendSafely(...claimed: Parameters<SendClaimed>): Promise<Sent> {
    const startedAt = performance.now()
    let outcome: 'done' | 'error' = 'error'
    try {
      const sent = await send(...claimed)
      if (sent.exchangeMs !== undefined || sent.isPostponed === true) outcome = 'done'
      return sent
    } catch (error) {
      const [{ delivery_id }] = claimed
      logger.error({ err: error, delivery_id }, 'a delivery was left to its lease')
      return { againMs: undefined, exchangeMs: undefined }
    } finally {
      metrics.observeStage('send_delivery', outcome, (performance.now() - startedAt) / 1000)
    }
  }

  return async function sendDelivery(delivery, ...rest) {
    if (!tracing.isOn) return await sendSafely(delivery, ...rest)
    return await tracing.inSpan(
      'send_delivery',
      {
        'messaging.system': 'bullmq',
        'messaging.destination.name': DELIVERIES_QUEUE,
        'leadwire.delivery_id': delivery.delivery_id,
        'leadwire.webhook_config_id': delivery.webhook_config_id,
        'leadwire.attempt': delivery.attempt,
      },
      () => sendSafely(delivery, ...rest),
      { kind: 'consumer', from: traces.find(delivery.delivery_id) },
    )
  }
}

function readStrain({ exchange }: SendResult): Strain {
  if (exchange.kind === 'answer')
    return exchange.status === 429 || exchange.status === 503 ? 'strained' : 'none'
  // Asking for its token held a slot all the same, perhaps for long.
  if (exchange.errorClass === 'authentication') return 'strained'
  if (!wasAsked(exchange.errorClass, null)) return 'unasked'
  return isUnanswered(exchange.errorClass, null) ? 'strained' : 'none'
}
