import { isClientEvent } from '#core/contract/events.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readEventToSend } from '#core/data/webhooks/deliveries/event-to-send.ts'
import { NO_RULES } from '#core/domain/webhooks/answer/judge-body.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { isUnanswered, wasAsked } from '#core/domain/webhooks/breaker.ts'
import { readClaimedLead } from '#core/data/webhooks/deliveries/claimed-lead.ts'
import { openCallClock } from '#core/domain/leads/calling/calling-window.ts'
import { findSendingTime } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { failpoint } from '#core/failpoints.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'
import { isOurs } from '#core/endpoint/own-shortage.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { weighAttempt } from '#core/endpoint/weigh-attempt.ts'
import type { HeavyPayloads } from '../dispatch/heavy-payloads.ts'
import type { Strain } from '../dispatch/pool-endpoint.ts'
import type { Slot } from '../dispatch/slot-pool.ts'
import type { SendingContext } from '../sending-context.ts'
import { noteBegin } from '../metrics/count-recorded.ts'
import { traceExchange } from '../endpoint/trace-exchange.ts'
import { prepareDelivery } from '../endpoint/prepare-delivery.ts'
import { limitMail } from '../endpoint/limit-mail.ts'
import { refuseStranger } from '../endpoint/refuse-stranger.ts'
import { createSettingsReader, type SendingSettings } from '../endpoint/read-settings.ts'
import type { Traces } from '../dispatch/keep-traces.ts'
import type { SendClaimed, Sent } from '../dispatch/track-in-flight.ts'
import { createLeaseReturns } from './2-return-lease.ts'
import type { RecordAttempt } from './3-record-attempt.ts'

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
    isProved,
  }: {
    recordAttempt: RecordAttempt
    heavy: Pick<HeavyPayloads, 'make' | 'note'>
    traces: Traces
    /** whether an endpoint has answered in good time */
    isProved: (endpoint: string) => boolean
  },
): SendClaimed {
  const { logger, metrics, tracing } = context
  const readSettings = createSettingsReader(context)
  const leases = createLeaseReturns(context)

  /** @returns undefined if the configuration was deleted after the claim, and the delivery with it */
  async function prepare(
    delivery: ClaimedDelivery,
  ): Promise<{ settings: SendingSettings; request: WebhookRequest } | undefined> {
    const settings = await readSettings(delivery)
    if (settings === undefined) return undefined
    const { webhook_config_id: id, config_version: version } = delivery
    const told = isClientEvent(delivery.event_type) ? await readEventToSend(context.db, delivery) : undefined
    const made = await heavy.make(id, version, () => prepareDelivery(context, settings, delivery, told))
    const request = await refuseStranger(context.db, delivery.client_user_id, made)
    await failpoint('before-send', id)
    return { settings, request }
  }

  /** @returns undefined if there is nothing to send now, or only too late: then the lease is given back */
  async function prepareInTime(
    delivery: ClaimedDelivery,
    mayBegin: () => boolean,
  ): ReturnType<typeof prepare> {
    try {
      const prepared = await prepare(delivery)
      if (prepared === undefined || mayBegin()) return prepared
    } catch (error) {
      await leases.returnUnprepared(delivery, error)
      return undefined
    }
    await leases.returnTooLate(delivery)
    return undefined
  }

  async function send(delivery: ClaimedDelivery, slot: Slot, mayBegin = () => true): Promise<Sent> {
    const claimedAt = performance.now()
    const prepared = await prepareInTime(delivery, mayBegin)
    if (prepared === undefined) return NOTHING_SENT
    const settings = settingsFor(delivery, prepared.settings)
    const calls = settings.hours?.when_callable === true ? openCallClock(readClaimedLead(delivery)) : null
    const opensAt = findSendingTime(settings.hours, calls, delivery.claimed_at)
    if (opensAt > delivery.claimed_at) {
      await leases.returnUntil(delivery, opensAt)
      return { ...NOTHING_SENT, isPostponed: true }
    }
    const request = await limitMail(context, delivery, prepared.request)
    if (request instanceof Date) {
      await leases.returnUntil(delivery, request)
      return { ...NOTHING_SENT, isPostponed: true }
    }
    const endExchange = metrics.beginExchange()
    // The database's time, estimated from the time of the claim.
    const begunAt = new Date(delivery.claimed_at.getTime() + performance.now() - claimedAt)
    noteBegin(metrics, delivery, begunAt, isProved)
    const exchange = () =>
      traceExchange(tracing, request, () =>
        context.transport.send(request, { client: delivery.client_user_id, access: settings.access }),
      )
    const result = await slot.exchange(exchange, readStrain).finally(endExchange)
    // The exchange with the endpoint is over; the rest is our work, and the dispatcher limits it (`mostOpen`).
    slot.leave()
    if (isOurs(result.exchange)) {
      if (!isMailUrl(request.url)) await leases.returnUnconnected(delivery)
      else
        await leases.returnUntil(
          delivery,
          new Date(begunAt.getTime() + result.timing.total_ms + MAIL_REST_MS),
        )
      return NOTHING_SENT
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
      calls,
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
      const [{ delivery_id, lead_id }] = claimed
      logger.error({ err: error, lead_id, delivery_id }, 'a delivery was left to its lease')
      return NOTHING_SENT
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
        // The `lead_id` of an event beside the lead is the event's (docs/decisions/0055).
        ...(!isClientEvent(delivery.event_type) && { 'leadwire.lead_id': delivery.lead_id }),
        'leadwire.event_id': delivery.event_id,
        'leadwire.delivery_id': delivery.delivery_id,
        'leadwire.webhook_config_id': delivery.webhook_config_id,
        'leadwire.attempt': delivery.attempt,
      },
      () => sendSafely(delivery, ...rest),
      { kind: 'consumer', from: traces.find(delivery.delivery_id) },
    )
  }
}

/**
 * Rest of a mail for which the mail server had no room. It is planned for then, so its wait for the mail server passes for
 * no delay of ours.
 */
const MAIL_REST_MS = 500
const NOTHING_SENT: Sent = { againMs: undefined, exchangeMs: undefined }

/**
 * Sending hours, and the rules by which answers are read, are about leads; and those rules are about endpoints, not about
 * mail servers.
 */
function settingsFor({ event_type }: ClaimedDelivery, settings: SendingSettings): SendingSettings {
  if (isClientEvent(event_type)) return { ...settings, hours: null, answerRules: NO_RULES }
  return isMailUrl(settings.endpointUrl) ? { ...settings, answerRules: NO_RULES } : settings
}

function readStrain({ exchange }: SendResult): Strain {
  if (exchange.kind === 'answer')
    return exchange.status === 429 || exchange.status === 503 ? 'strained' : 'none'
  // The request for its token held a slot, perhaps for long.
  if (exchange.errorClass === 'authentication') return 'strained'
  if (!wasAsked(exchange.errorClass, null)) return 'unasked'
  return isUnanswered(exchange.errorClass, null) ? 'strained' : 'none'
}
