import type { AccessFields } from './access/access-values.ts'
import { writeWebhookFields, type WebhookFormValues } from './webhook-form-values.ts'

const LABELS: Record<keyof ReturnType<typeof writeWebhookFields> | keyof AccessFields, string> = {
  webhook_name: 'Webhook Name',
  endpoint_url: 'Endpoint URL',
  request_method: 'HTTP Method',
  payload_type: 'Payload Format',
  is_active: 'Active',
  trigger_on_lead_assigned: 'Trigger when lead is assigned',
  trigger_on_lead_created: 'Trigger when lead is received',
  member_user_id: 'Leads of',
  custom_headers: 'Custom Headers',
  payload_template: 'Payload Template',
  missing_values: 'Missing values',
  success_rule: 'How the answer is read',
  capture_path: 'Id at the receiver',
  authentication: 'Authentication',
  ca_certificate: 'CA certificate',
  client_certificate: 'Client certificate',
  client_key: 'Private key',
  sign_asymmetric: 'Public-key signature',
  conditions: 'Which leads',
  sending_hours: 'Only at these hours',
  requests_per_minute: 'Requests a minute',
  events: 'More events',
  event_templates: 'Templates of events',
}

/**
 * Returns the labels of fields that have changed since the form was opened and whose new value a save would
 * overwrite.
 * @param before initial values of the form
 * @param now stored values
 * @param mine current values of the form
 */
export function findOvertaken(
  before: WebhookFormValues,
  now: WebhookFormValues,
  mine: WebhookFormValues,
): string[] {
  const [was, is, wished] = [before, now, mine].map(
    (values) => new Map<string, unknown>(Object.entries(writeWebhookFields(values))),
  )
  const text = (of: Map<string, unknown> | undefined, field: string) => JSON.stringify(of?.get(field))
  return Object.entries(LABELS)
    .filter(([field]) => text(is, field) !== text(was, field) && text(is, field) !== text(wished, field))
    .map(([, label]) => label)
}
