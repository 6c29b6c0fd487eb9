import { randomUUID } from 'node:crypto'
import { createBatcher } from '#core/batch.ts'
import {
  claimDeliveries,
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
} from '#core/data/claim-deliveries.ts'
import { leadValues } from '#core/domain/lead-values.ts'
import { deliveryJobSchema } from '#core/queue/queues.ts'
import { prepareRequest } from '#core/webhook/prepare-request.ts'
import type { WorkerContext } from '../context.ts'
import type { Stage } from '../run-stage.ts'
import { createEndpointGate, type Stay } from '../webhook/endpoint-gate.ts'
import { createSettingsReader } from '../webhook/read-settings.ts'
import type { RecordAttempt } from './3-record-attempt.ts'

/** The lease outlives the longest exchange by this, so that a sender has time to record what it did. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Consumes: deliver (a delivery and the attempt to make).
 * Emits: one signed request; its answer goes to 3-record-attempt before the job may finish.
 * Safe to run twice because: nobody sends without the delivery's lease, which the database gives to one sender for one
 * attempt.
 */
export function createSendDelivery(context: WorkerContext, recordAttempt: RecordAttempt): Stage {
  const { config } = context
  const gate = createEndpointGate({
    slots: config.webhooks.concurrency,
    limit: config.webhooks.endpointConcurrency,
    now: () => performance.now(),
    random: Math.random,
  })
  const readSettings = createSettingsReader(context)
  const leaseSeconds = config.webhooks.timeoutMs / 1000 + LEASE_MARGIN_SECONDS
  const claims = createBatcher<ClaimRequest, Claim>({
    maxSize: 100,
    parallel: 2,
    flush: (requests) => claimDeliveries(context.db, requests, leaseSeconds),
  })

  async function send(
    delivery: ClaimedDelivery,
    attempt: number,
    leaseToken: string,
    stay: Stay,
  ): Promise<void> {
    const settings = await readSettings(delivery)
    // Deleted since the claim, and the delivery with it.
    if (settings === undefined) return
    const identity = {
      event: delivery.event_type,
      eventId: delivery.event_id,
      deliveryId: delivery.delivery_id,
      attempt,
      sentAt: new Date(),
    }
    const values = leadValues(delivery.lead, { ...identity, clientId: delivery.client_user_id })
    const request = prepareRequest(settings, identity, values, config.http.publicUrl)
    const result = await stay.exchange(() => context.transport.send(request))
    await recordAttempt({ delivery, attempt, leaseToken, request, result })
  }

  return async function sendDelivery(job) {
    const due = deliveryJobSchema.parse(job.data)
    // Before the claim: a job that must wait for its endpoint holds no lease.
    const entry = gate.enter(due.webhook_config_id)
    if ('waitMs' in entry) return { next: 'later', at: Date.now() + entry.waitMs }
    try {
      const leaseToken = randomUUID()
      const claim = await claims.add({
        delivery_id: due.delivery_id,
        attempt: due.attempt,
        lease_token: leaseToken,
      })
      if (claim.status === 'busy') return { next: 'later', at: claim.retry_at.getTime() }
      if (claim.status === 'claimed') await send(claim.delivery, due.attempt, leaseToken, entry)
      return { next: 'done' }
    } finally {
      entry.leave()
    }
  }
}
