import {
  OWN_RUNS_OF_HOST_A_DAY,
  RUNS_OF_HOST_A_DAY,
  type Certification,
} from '#core/contract/webhooks/certification.ts'
import type { Db } from '#core/data/database.ts'
import {
  countRunsOfHost,
  findCertification,
  hasWaitingLeads,
  insertCertification,
} from '#core/data/webhooks/certifications/certifications.ts'
import { findSigningSecrets } from '#core/data/webhooks/signing-secrets.ts'
import type { WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { AppError } from '#core/errors.ts'
import { fingerprintEndpoint } from '#core/secrets/fingerprint-endpoint.ts'
import type { ServerContext } from '../../context.ts'
import { createOnce } from '../../http/create-once.ts'
import { requireAllowed } from '../../http/rate-limits.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { requireWebhookConfig } from '../configs/require-webhook-config.ts'
import { openSigningSecret, requireReadableCredentials } from '../find-unreadable.ts'
import { showCertification } from './show-certification.ts'

/**
 * Asks for a run, which a worker makes. While one is under way, it is the answer.
 * @throws AppError not_found, unusable_endpoint, validation_failed, conflict if leads wait or the signing secret cannot be read, rate_limited
 */
export async function askForCertification(
  context: ServerContext,
  caller: Principal,
  id: string,
  idempotencyKey: string | undefined,
): Promise<Certification> {
  const { db, secrets, webhooks } = context
  const config = await requireWebhookConfig(context, caller, id)
  const sealed = await findSigningSecrets(db, caller.user_id, id)
  if (sealed === undefined) throw new AppError('not_found', 'Webhook not found')
  const url = webhooks.guard.checkUrl(config.endpoint_url)
  if (!url.ok) throw new AppError('unusable_endpoint', url.reason)
  requireReadableCredentials(config, secrets)
  openSigningSecret(sealed.current, secrets)
  const host = nameHost(config.endpoint_url)
  const fingerprint = fingerprintEndpoint({ ...config, signing_secret: sealed.current }, secrets)
  const request = { operation: 'certification.create', key: idempotencyKey, content: id }
  await createOnce(context, { user_id: caller.user_id, ...request }, async (trx, runId) => {
    // The limit is held first, so that two requests at once make one run.
    const made = await countRunsOfHost(trx, host, caller.user_id)
    const latest = await findCertification(trx, caller.user_id, id)
    if (latest?.state === 'waiting' || latest?.state === 'running') return
    await requireQuiet(trx, caller, config)
    refuseTooMany(host, made)
    // The requests before an endpoint has proved anything count as tests do.
    requireAllowed(await webhooks.testRates.spend('endpoint_test', caller.user_id), 'tests')
    await insertCertification(trx, {
      id: runId,
      webhook_config_id: id,
      client_user_id: caller.user_id,
      host,
      fingerprint,
      steps: '[]',
    })
  })
  return await showCertification(context, caller, id)
}

/** The name by which runs are counted: one for a name with and without its last dot, and for both forms of an IPv4 address. */
function nameHost(url: string): string {
  const host = new URL(url).hostname.replace(/\.$/, '')
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? []
  if (high === undefined || low === undefined) return host
  const address = parseInt(high, 16) * 2 ** 16 + parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
}

/** @throws AppError conflict */
async function requireQuiet(trx: Db, caller: Principal, config: WebhookConfigRow): Promise<void> {
  if (config.sending_pause_reason !== null)
    throw new AppError('conflict', `Leadwire has paused all sending to you: ${config.sending_pause_reason}`)
  if (await hasWaitingLeads(trx, caller.user_id, config.endpoint_url))
    throw new AppError(
      'conflict',
      'Leads wait for this endpoint, and go first. Certify it once they are delivered, or cancel them in its log.',
    )
}

/** @throws AppError rate_limited */
function refuseTooMany(host: string, { all, own }: Awaited<ReturnType<typeof countRunsOfHost>>): void {
  if (all.count >= RUNS_OF_HOST_A_DAY)
    throw tooMany(
      `${host} was certified ${RUNS_OF_HOST_A_DAY} times within 24 hours, which is the limit for all clients together.`,
      all.seconds,
    )
  if (own.count >= OWN_RUNS_OF_HOST_A_DAY)
    throw tooMany(
      `You certified ${host} twice within 24 hours. One more run of the day is left for other clients, because several may share a host.`,
      own.seconds,
    )
}

function tooMany(why: string, seconds: number): AppError {
  const hours = Math.ceil(seconds / 3600)
  return new AppError('rate_limited', `${why} Try again in ${hours === 1 ? 'an hour' : `${hours} hours`}.`, {
    retryAfterSeconds: seconds,
  })
}
