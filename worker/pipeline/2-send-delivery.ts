import { randomUUID } from 'node:crypto'
import { createBatcher } from '#core/pace/batch.ts'
import {
  claimDeliveries,
  type Claim,
  type ClaimedDelivery,
  type ClaimRequest,
} from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import {
  giveBackLeases,
  type LeaseReturn,
  type UnusedLease,
} from '#core/data/webhooks/deliveries/give-back-leases.ts'
import { isUnanswered } from '#core/domain/webhooks/breaker.ts'
import { failpoint } from '#core/failpoints.ts'
import { DELIVERIES_QUEUE, deliveryJobSchema } from '#core/queue/queues.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import type { WorkerContext } from '../context.ts'
import type { Room } from '../queues/open-room.ts'
import { MOST_OWN_FAILURES, type Stage } from '../queues/run-stage.ts'
import { createSlotShare, type Stay, type Strain } from '#core/fairness/slot-share.ts'
import { enterSoon } from '../endpoint/enter-soon.ts'
import { traceExchange } from '../endpoint/trace-exchange.ts'
import { DeliveryFault } from '../endpoint/delivery-fault.ts'
import { createStandings } from '../endpoint/endpoint-standings.ts'
import { prepareDelivery } from '../endpoint/prepare-delivery.ts'
import { createSettingsReader, type SendingSettings } from '../endpoint/read-settings.ts'
import type { RecordAttempt } from './3-record-attempt.ts'
import { recordOwnFailure } from './3-record-own-failure.ts'

/** The lease outlives the longest exchange by this, so that a sender has time to record what it did. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Consumes: deliver (a delivery and the attempt to make).
 * Emits: one signed request; its answer goes to 3-record-attempt before the job may finish.
 * Safe to run twice because: nobody sends without the delivery's lease, which the database gives to one sender for one
 * attempt. Where nothing was sent the lease is given back at once; a delivery that cannot be prepared ends after
 * MOST_OWN_FAILURES tries.
 */
export function createSendDelivery(context: WorkerContext, recordAttempt: RecordAttempt, room: Room): Stage {
  const { config } = context
  const standings = createStandings(context)
  const share = createSlotShare({
    slotsOf: room.slotsOf,
    limit: config.webhooks.endpointConcurrency,
    now: () => performance.now(),
    random: Math.random,
    onLearned: standings.keep,
  })
  context.metrics.watchShare(() => share.count())
  const readSettings = createSettingsReader(context)
  const leaseSeconds = config.webhooks.timeoutMs / 1000 + LEASE_MARGIN_SECONDS
  const claims = createBatcher<ClaimRequest, Claim>({
    ...context.gathering,
    flush: (requests) => {
      context.metrics.observeBatch('claim', requests.length)
      return claimDeliveries(context.db, requests, leaseSeconds)
    },
  })

  const returns = createBatcher<UnusedLease, LeaseReturn>({
    ...context.gathering,
    flush: (leases) => giveBackLeases(context.db, leases, MOST_OWN_FAILURES),
  })

  /** @returns undefined where the configuration was deleted since the claim, and the delivery with it */
  async function prepare(
    delivery: ClaimedDelivery,
    attempt: number,
  ): Promise<{ settings: SendingSettings; request: WebhookRequest } | undefined> {
    const settings = await readSettings(delivery)
    if (settings === undefined) return undefined
    const request = prepareDelivery(config, settings, delivery, attempt)
    await failpoint('before-send')
    return { settings, request }
  }

  /**
   * Nothing was sent, so nobody has to wait for the lease to run out. A delivery that fails by itself is counted, and ends.
   * @throws what failed, so that the job comes again, unless the delivery has ended
   */
  async function giveBack(
    due: ClaimRequest,
    delivery: ClaimedDelivery,
    failure: unknown,
  ): Promise<undefined> {
    const { delivery_id, lease_token, attempt } = due
    const left = await returns
      .add({ delivery_id, lease_token, counts: failure instanceof DeliveryFault })
      .catch(() => 'lost' as const)
    if (left !== 'spent') throw failure
    context.logger.error({ err: failure, delivery_id }, 'a delivery cannot be prepared')
    await recordOwnFailure(context, delivery, attempt, lease_token)
    return undefined
  }

  /** @returns how long the exchange took, in milliseconds */
  async function send(claimed: ClaimRequest, delivery: ClaimedDelivery, stay: Stay): Promise<number> {
    const { attempt, lease_token: leaseToken } = claimed
    const claimedAt = performance.now()
    const prepared = await prepare(delivery, attempt).catch((error: unknown) =>
      giveBack(claimed, delivery, error),
    )
    if (prepared === undefined) return 0
    const { settings, request } = prepared
    const endExchange = context.metrics.beginExchange()
    // By the database's clock, as far as it is known here: of the claim it told the time.
    const begunAt = new Date(delivery.claimed_at.getTime() + performance.now() - claimedAt)
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
      begunAt,
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
    const { webhook_config_id: endpoint, client_user_id: client = endpoint } = due
    if (!share.isKnown(endpoint)) share.recall(endpoint, await standings.read(endpoint))
    const isReturning = job.attemptsStarted > 1
    const entry = await enterSoon(share, endpoint, { client, queue: job.queueName, isReturning })
    if ('waitMs' in entry) {
      context.metrics.countTurnedAway()
      return { next: 'later', at: Date.now() + entry.waitMs }
    }
    try {
      await room.waitForTurn(job.queueName)
      const asked = { delivery_id: due.delivery_id, attempt: due.attempt, lease_token: randomUUID() }
      const claim = await context.tracing.inSpan('claim', {}, async (note) => {
        const answer = await claims.add(asked)
        note({ 'leadwire.claim': answer.status })
        return answer
      })
      if (claim.status === 'busy') return { next: 'later', at: Date.now() + claim.wait_ms }
      if (claim.status === 'claimed') {
        const exchangeMs = await send(asked, claim.delivery, entry)
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
