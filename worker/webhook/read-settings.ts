import type { ClaimedDelivery } from '#core/data/claim-deliveries.ts'
import { compileTemplate } from '#core/domain/render-template.ts'
import type { SecretBox } from '#core/secrets.ts'
import type { RequestSettings } from '#core/webhook/prepare-request.ts'

const KEPT_CONFIGURATIONS = 5000

/** Opens and compiles a configuration once for each of its versions, not once for each delivery. */
export function createSettingsReader(secrets: SecretBox): (delivery: ClaimedDelivery) => RequestSettings {
  const kept = new Map<string, { version: string; settings: RequestSettings }>()
  return (delivery) => {
    const version = `${delivery.config_version}.${delivery.previous_signing_secret === null ? 1 : 2}`
    const known = kept.get(delivery.webhook_config_id)
    if (known?.version === version) return known.settings
    const settings = readSettings(delivery, secrets)
    const oldest = kept.size >= KEPT_CONFIGURATIONS ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(delivery.webhook_config_id, { version, settings })
    return settings
  }
}

function readSettings(delivery: ClaimedDelivery, secrets: SecretBox): RequestSettings {
  const sealed = [delivery.signing_secret, delivery.previous_signing_secret].filter(
    (secret) => secret !== null,
  )
  return {
    endpointUrl: delivery.endpoint_url,
    method: delivery.request_method,
    payloadType: delivery.payload_type,
    template: compileTemplate(delivery.payload_template),
    customHeaders: Object.fromEntries(
      Object.entries(delivery.custom_headers).map(([name, value]) => [name, secrets.open(value)]),
    ),
    signingSecrets: sealed.map((secret) => secrets.open(secret)),
  }
}
