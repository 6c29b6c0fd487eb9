import { randomUUID } from 'node:crypto'
import { createBatcher } from '#core/pace/batch.ts'
import {
  claimDeliveries,
  readClaimedLead,
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
} from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { isUnanswered } from '#core/domain/webhooks/breaker.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { failpoint } from '#core/failpoints.ts'
import { DELIVERIES_QUEUE, deliveryJobSchema } from '#core/queue/queues.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'
import { prepareRequest } from '#core/endpoint/prepare-request.ts'
import type { WorkerContext } from '../context.ts'
import type { Room } from '../queues/open-room.ts'
import type { Stage } from '../queues/run-stage.ts'
import { createEndpointGate, type Stay, type Strain } from '#core/fairness/endpoint-gate.ts'
import { traceExchange } from '../endpoint/trace-exchange.ts'
import { createSettingsReader } from '../endpoint/read-settings.ts'
import type { RecordAttempt } from './3-record-attempt.ts'

/** The lease outlives the longest exchange by this, so that a sender has time to record what it did. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Consumes: deliver (a delivery and the attempt to make).
 * Emits: one signed request; its answer goes to 3-record-attempt before the job may finish.
 * Safe to run twice because: nobody sends without the delivery's lease, which the database gives to one sender for one
 * attempt.
 */
export function createSendDelivery(context: WorkerContext, recordAttempt: RecordAttempt, room: Room): Stage {
  const { config } = context
  const gate = createEndpointGate({
    slotsOf: room.slotsOf,
    limit: config.webhooks.endpointConcurrency,
    now: () => performance.now(),
    random: Math.random,
  })
  context.metrics.watchGate(() => gate.count())
  const readSettings = createSettingsReader(context)
  const leaseSeconds = config.webhooks.timeoutMs / 1000 + LEASE_MARGIN_SECONDS
  const claims = createBatcher<ClaimRequest, Claim>({
    ...context.gathering,
    flush: (requests) => {
      context.metrics.observeBatch('claim', requests.length)
      return claimDeliveries(context.db, requests, leaseSeconds)
    },
  })

  /** @returns how long the exchange took, in milliseconds */
  async function send(
    delivery: ClaimedDelivery,
    attempt: number,
    leaseToken: string,
    stay: Stay,
  ): Promise<number> {
    const settings = await readSettings(delivery)
    // Deleted since the claim, and the delivery with it.
    if (settings === undefined) return 0
    const identity = {
      event: delivery.event_type,
      eventId: delivery.event_id,
      deliveryId: delivery.delivery_id,
      attempt,
      // The database's clock: a receiver refuses a signature whose time is minutes off, and a worker's clock may be.
      sentAt: delivery.claimed_at,
    }
    const values = leadValues(readClaimedLead(delivery), { ...identity, clientId: delivery.client_user_id })
    const request = prepareRequest(settings, identity, values, config.http.publicUrl)
    await failpoint('before-send')
    const endExchange = context.metrics.beginExchange()
    const result = await stay
      .exchange(
        () =>
          traceExchange(context.tracing, request, () =>
            context.transport.send(request, { access: settings.access }),
          ),
        readStrain,
      )
      .finally(endExchange)
    await failpoint('after-send')
    await recordAttempt({
      delivery,
      attempt,
      leaseToken,
      request: result.request,
      result,
      rules: settings.answerRules,
    })
    await failpoint('after-record')
    return result.timing.total_ms
  }

  return async function sendDelivery(job) {
    const startedAt = performance.now()
    const due = deliveryJobSchema.parse(job.data)
    // Before the claim: a job that must wait for its endpoint holds no lease.
    const isReturning = job.attemptsStarted > 1
    const entry = gate.enter(due.webhook_config_id, { queue: job.queueName, isReturning })
    if ('waitMs' in entry) {
      context.metrics.countTurnedAway()
      return { next: 'later', at: Date.now() + entry.waitMs }
    }
    try {
      await room.waitForTurn(job.queueName)
      const leaseToken = randomUUID()
      const claim = await context.tracing.inSpan('claim', {}, async (note) => {
        const asked = { delivery_id: due.delivery_id, attempt: due.attempt, lease_token: leaseToken }
        const answer = await claims.add(asked)
        note({ 'leadwire.claim': answer.status })
        return answer
      })
      if (claim.status === 'busy') return { next: 'later', at: Date.now() + claim.wait_ms }
      if (claim.status === 'claimed') {
        const exchangeMs = await send(claim.delivery, due.attempt, leaseToken, entry)
        if (job.queueName === DELIVERIES_QUEUE) room.noteFirst(performance.now() - startedAt - exchangeMs)
      }
      return { next: 'done' }
    } finally {
      entry.leave()
    }
  }
}

function readStrain({ exchange }: SendResult): Strain {
  const isStrained =
    exchange.kind === 'failure'
      ? isUnanswered(exchange.errorClass, null)
      : exchange.status === 429 || exchange.status === 503
  return isStrained ? 'strained' : 'none'
}
