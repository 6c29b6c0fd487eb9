import { UNREADABLE_AUTHENTICATION } from '#core/contract/webhooks/authentication.ts'
import { DEFAULT_PAYLOAD_TEMPLATE } from '#core/contract/webhooks/webhook-config.ts'
import { findHeadersFault, findJsonObjectFault } from './check-json-object.ts'
import type { WebhookFormValues } from './webhook-form-values.ts'

type Of<Key extends keyof WebhookFormValues> = Pick<WebhookFormValues, Key>

const DEFAULT_TEMPLATE = JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE)

/** Summarises the settings of a closed group on one line. */
export function describeAdvanced(
  values: Of<'trigger_on_lead_created' | 'custom_headers' | 'payload_template'>,
): string {
  return [
    values.trigger_on_lead_created ? 'Also when received' : null,
    describeHeaders(values.custom_headers),
    describeTemplate(values.payload_template),
    'Test Endpoint',
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

function describeHeaders(text: string): string {
  if (findHeadersFault(text) !== null) return 'Custom headers: invalid JSON'
  const count = countKeys(text)
  return count === 0 ? 'No custom headers' : count === 1 ? '1 custom header' : `${count} custom headers`
}

function describeTemplate(text: string): string {
  if (findJsonObjectFault(text) !== null) return 'template: invalid JSON'
  const count = countKeys(text)
  const fields = count === 1 ? '1 field' : `${count} fields`
  return JSON.stringify(JSON.parse(text)) === DEFAULT_TEMPLATE
    ? `default template, ${fields}`
    : `template of your own, ${fields}`
}

export function describeAuthentication({
  type,
  username,
  stored,
}: WebhookFormValues['authentication']): string {
  const kept = stored.type === type ? ', stored' : ''
  if (type === 'basic') return username === '' ? 'Basic' : `Basic, as ${username}`
  if (type === 'bearer') return `Bearer token${kept}`
  if (type === 'unreadable') return UNREADABLE_AUTHENTICATION
  return type === 'oauth2' ? `OAuth2 client credentials${kept}` : 'None'
}

export function describeCertificates(values: Of<'ca_certificate' | 'client_certificate'>): string {
  const parts = [
    values.ca_certificate.trim() === '' ? null : 'CA certificate',
    values.client_certificate.trim() === '' ? null : 'client certificate',
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'None of your own' : parts.join(' and ')
}

export function describeMissingValues(chosen: WebhookFormValues['missing_values']): string {
  return { empty: 'Sent empty', null: 'Sent as null', omit: 'Left out' }[chosen]
}

export function describeAnswer({ answer, capture_path }: Of<'answer' | 'capture_path'>): string {
  const rules = (['accepted', 'duplicate', 'rejected'] as const).filter(
    (name) => answer[name].kind !== 'none',
  )
  const read = rules.length === 0 ? 'Every 2xx is a success' : `Looks for ${rules.join(', ')}`
  return capture_path.trim() === '' ? read : `${read} · id at ${capture_path.trim()}`
}

function countKeys(jsonObject: string): number {
  return Object.keys(JSON.parse(jsonObject) as object).length
}
