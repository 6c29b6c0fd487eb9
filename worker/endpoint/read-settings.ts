import { LRUCache } from 'lru-cache'
import { SLICES } from '#core/fairness/limits.ts'
import { createBatcher } from '#core/concurrency/batch.ts'
import { createSlices } from '#core/concurrency/slices.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import {
  readSendingConfigs,
  readSendingHours,
  readSuccessRule,
  type SendingConfig,
} from '#core/data/webhooks/sending-configs.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { compileAddress } from '#core/domain/webhooks/template/fill-address.ts'
import { openAccess, openHeaders } from '#core/secrets/open-credentials.ts'
import { openSigningKey } from '#core/secrets/signing-keys.ts'
import type { SecretBox } from '#core/secrets/secret-box.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import type { RequestSettings } from '#core/endpoint/prepare-request.ts'
import type { WorkerContext } from '../context.ts'
import { blameDelivery } from './delivery-fault.ts'
import { createEventTemplates, type TemplateOfEvent } from '#core/endpoint/event-templates.ts'

const KEPT_CONFIGURATIONS = 5000
/** Limit of the cache. A compiled template may take thirty times as much memory as it has characters. */
const KEPT_CHARACTERS = 16 * 1024 * 1024
/** Characters counted for each configuration in addition to its texts. */
const LEAST_CHARACTERS = 500

/**
 * The settings that sending needs: of a configuration's requests, of access to its endpoint, and its sending hours
 * (null means always).
 */
export type SendingSettings = RequestSettings & {
  access: EndpointAccess
  hours: SendingHours | null
  templateOfEvent: TemplateOfEvent
}

/** Only the newest version is kept: an older one may hold credentials that were revoked. */
interface KeptSettings {
  version: string
  settings: SendingSettings
}

/**
 * Reads, opens and compiles a configuration once for each of its versions, not once for each delivery.
 * @returns undefined if the configuration was deleted
 * @throws DeliveryFault if the stored settings cannot be opened or compiled
 */
export function createSettingsReader(
  context: Pick<WorkerContext, 'db' | 'secrets'>,
): (delivery: ClaimedDelivery) => Promise<SendingSettings | undefined> {
  const kept = new LRUCache<string, KeptSettings>({ max: KEPT_CONFIGURATIONS, maxSize: KEPT_CHARACTERS })
  const inTurn = createSlices(SLICES.mostMs, () => performance.now())
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
    if (known?.version === delivery.config_version) return known.settings
    const row = await reads.add(delivery.webhook_config_id)
    if (row === undefined) return undefined
    const { validMs, ...read } = await inTurn(() =>
      blameDelivery('opening the configuration', () => openSettings(row, context.secrets)),
    )
    kept.set(row.id, read, { ttl: validMs, size: sizeOf(row) })
    return read.settings
  }
}

function sizeOf(row: SendingConfig): number {
  const texts = [row.payload_template, row.ca_certificate, row.client_certificate, row.client_key]
  const lengths = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  return LEAST_CHARACTERS + lengths + JSON.stringify([row.custom_headers, row.event_templates]).length
}

/** A rotation of the installation's keys changes no row of a configuration; both keys sign for days. */
const KEYS_LOOKED_UP_MS = 60_000

function validFor(overlapMs: number | undefined, seeds: string[] | null): number {
  const limits = [overlapMs, seeds === null ? undefined : KEYS_LOOKED_UP_MS].filter((ms) => ms !== undefined)
  return limits.length === 0 ? 0 : Math.min(...limits)
}

/** `validMs`: milliseconds until a rotated secret stops signing or keys are looked up again; 0 means for ever. */
export function openSettings(row: SendingConfig, secrets: SecretBox): KeptSettings & { validMs: number } {
  const overlapMs = row.overlap_ms ?? 0
  const previous = overlapMs > 0 ? row.previous_signing_secret : null
  const customHeaders = openHeaders(row.custom_headers, secrets)
  return {
    version: row.version,
    validMs: validFor(previous === null ? undefined : overlapMs, row.signing_seeds),
    settings: {
      endpointUrl: row.endpoint_url,
      method: row.request_method,
      payloadType: row.payload_type,
      template: compileTemplate(row.payload_template),
      templateOfEvent: createEventTemplates(row.event_templates),
      missingValues: row.missing_values,
      answerRules: { successRule: readSuccessRule(row.success_rule), capturePath: row.capture_path },
      customHeaders,
      address: row.fills_address ? compileAddress(row.endpoint_url, customHeaders) : undefined,
      access: openAccess(row, secrets, true),
      hours: readSendingHours(row.sending_hours),
      signingSecrets: [row.signing_secret, previous]
        .filter((secret) => secret !== null)
        .map((secret) => secrets.open(secret)),
      signingKeys: (row.signing_seeds ?? []).map((seed) => openSigningKey(secrets, seed, row.id)),
    },
  }
}
