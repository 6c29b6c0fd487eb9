import type { WebhookConfig } from '#core/contract/webhook-config.ts'
import type { WebhookConfigRow } from '#core/data/webhook-configs.ts'
import type { SecretBox } from '#core/secrets.ts'

/**
 * A configuration as JSON text. The template is spliced in as it is stored, so that its key order and its numbers reach the
 * client as they were written.
 */
export function describeWebhookConfig(row: WebhookConfigRow, secrets: SecretBox): string {
  const { payload_template: template, ...rest } = row
  const config: Omit<WebhookConfig, 'payload_template'> = {
    id: rest.id,
    webhook_name: rest.webhook_name,
    endpoint_url: rest.endpoint_url,
    request_method: rest.request_method,
    payload_type: rest.payload_type,
    is_active: rest.is_active,
    trigger_on_lead_created: rest.trigger_on_lead_created,
    trigger_on_lead_assigned: rest.trigger_on_lead_assigned,
    custom_headers: openHeaders(rest.custom_headers, secrets),
    client_user_id: rest.client_user_id,
    created_by: rest.created_by,
    disabled_reason: rest.disabled_reason,
    created_at: rest.created_at.toISOString(),
    updated_at: rest.updated_at.toISOString(),
  }
  return `${JSON.stringify(config).slice(0, -1)},"payload_template":${template}}`
}

/** Header values in clear: for their owner, and for a request. */
export function openHeaders(
  sealed: Readonly<Record<string, string>>,
  secrets: SecretBox,
): Record<string, string> {
  return Object.fromEntries(Object.entries(sealed).map(([name, value]) => [name, secrets.open(value)]))
}
