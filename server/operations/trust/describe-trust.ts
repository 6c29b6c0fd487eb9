import { BATCH_LIMIT } from '#core/contract/leads/lead-ingest.ts'
import { TRUST_FORMAT, type Trust } from '#core/contract/operations/trust.ts'
import { listSigningKeys } from '#core/data/webhooks/signing-keys.ts'
import { LARGEST_PAYLOAD } from '#core/domain/webhooks/template/payload-size.ts'
import { maxAttempts } from '#core/domain/webhooks/retry-schedule.ts'
import { OUTCOME_DAYS } from '#core/secrets/outcome-token.ts'
import type { ServerContext } from '../../context.ts'
import { ACCEPTED_BODIES } from '../../http/body/read-body.ts'

/** Standard Webhooks, 'Verifying signatures': a receiver refuses timestamps further away than this. */
const TOLERANCE_SECONDS = 300

/** Says what receivers can check of this installation. Nothing in it is about a client. */
export async function describeTrust({ config, db }: Pick<ServerContext, 'config' | 'db'>): Promise<Trust> {
  const { http, webhooks, build } = config
  const keys = await listSigningKeys(db)
  return {
    format: TRUST_FORMAT,
    version: build.version,
    urls: {
      site: http.publicUrl,
      api: http.apiUrl,
      api_description: `${http.apiUrl}/api/v1/openapi.json`,
      documentation: `${http.publicUrl}/documentation`,
      status: `${http.publicUrl}/status`,
    },
    signatures: {
      scheme: 'standard-webhooks',
      versions: ['v1', 'v1a'],
      keys_url: `${http.apiUrl}/.well-known/leadwire/keys/{webhook_id}`,
      keys: keys.map(({ id, created_at, ends_at }) => ({
        id,
        since: created_at.toISOString(),
        ends_at: ends_at?.toISOString() ?? null,
      })),
      tolerance_seconds: TOLERANCE_SECONDS,
    },
    egress: {
      is_announced: webhooks.egressAddresses.length > 0,
      addresses: webhooks.egressAddresses.map((one) => ({ ...one })),
    },
    limits: {
      payload_bytes: LARGEST_PAYLOAD,
      timeout_ms: webhooks.timeoutMs,
      attempts: maxAttempts({ stepSeconds: webhooks.retryScheduleSeconds }),
      requests_at_a_time: webhooks.endpointConcurrency,
      outcome_bytes: ACCEPTED_BODIES['short json or form'].limit,
      outcome_days: OUTCOME_DAYS,
      posted_leads_per_minute: config.ingestRate,
      batch_leads: BATCH_LIMIT,
    },
  }
}
