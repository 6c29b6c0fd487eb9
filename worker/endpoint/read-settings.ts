import { createBatcher } from '#core/pace/batch.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { readSendingConfigs, type SendingConfig } from '#core/data/webhooks/sending-configs.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { openAccess, openHeaders } from '#core/secrets/open-credentials.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import type { RequestSettings } from '#core/endpoint/prepare-request.ts'
import type { WorkerContext } from '../context.ts'

const KEPT_CONFIGURATIONS = 5000

/** What shapes a configuration's requests, and how they are let in. */
export type SendingSettings = RequestSettings & { access: EndpointAccess }

interface KeptSettings {
  version: string
  settings: SendingSettings
  /** when a rotated secret stops signing; Infinity where none overlaps */
  validUntil: number
}

/**
 * Reads, opens and compiles a configuration once for each of its versions, not once for each delivery.
 * Answers undefined when the configuration is gone.
 */
export function createSettingsReader(
  context: Pick<WorkerContext, 'db' | 'secrets'>,
): (delivery: ClaimedDelivery) => Promise<SendingSettings | undefined> {
  const kept = new Map<string, KeptSettings>()
  const reads = createBatcher<string, SendingConfig | undefined>({
    maxSize: 100,
    parallel: 2,
    flush: async (ids) => {
      const rows = new Map((await readSendingConfigs(context.db, ids)).map((row) => [row.id, row]))
      return ids.map((id) => rows.get(id))
    },
  })

  return async (delivery) => {
    const known = kept.get(delivery.webhook_config_id)
    if (known?.version === delivery.config_version && known.validUntil > Date.now()) return known.settings
    const row = await reads.add(delivery.webhook_config_id)
    if (row === undefined) return undefined
    const read = openSettings(row, context.secrets)
    const oldest = kept.size >= KEPT_CONFIGURATIONS ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(row.id, read)
    return read.settings
  }
}

function openSettings(row: SendingConfig, secrets: SecretBox): KeptSettings {
  const overlapEnds = row.previous_secret_expires_at?.getTime() ?? 0
  const previous = overlapEnds > Date.now() ? row.previous_signing_secret : null
  return {
    version: row.version,
    validUntil: previous === null ? Infinity : overlapEnds,
    settings: {
      endpointUrl: row.endpoint_url,
      method: row.request_method,
      payloadType: row.payload_type,
      template: compileTemplate(row.payload_template),
      missingValues: row.missing_values,
      answerRules: { successRule: row.success_rule, capturePath: row.capture_path },
      customHeaders: openHeaders(row.custom_headers, secrets),
      access: openAccess(row, secrets, true),
      signingSecrets: [row.signing_secret, previous]
        .filter((secret) => secret !== null)
        .map((secret) => secrets.open(secret)),
    },
  }
}
