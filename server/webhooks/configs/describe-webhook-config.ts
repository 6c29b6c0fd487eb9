import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { clientEventSchema } from '#core/contract/events.ts'
import { readEventTemplates } from '#core/contract/webhooks/events/event-data.ts'
import type { WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { readConditions, readSendingHours, readSuccessRule } from '#core/data/webhooks/sending-configs.ts'
import { maskAuthentication } from '#core/domain/webhooks/authentication.ts'
import { maskCredentials, maskValue } from '#core/domain/webhooks/mask-credentials.ts'
import { openReadableAuthentication, openReadableHeaders } from '#core/secrets/open-credentials.ts'
import { StoredDataError } from '#core/read-stored.ts'
import { SealError, type SecretBox } from '#core/secrets/secret-box.ts'
import type { ServerContext } from '../../context.ts'

/**
 * The rows as JSON texts, made in slices: a hundred with the longest settings take as long as many requests
 * of others. A row that cannot be read is left out and logged.
 */
export async function describeWebhookConfigs(
  rows: readonly WebhookConfigRow[],
  { secrets, logger, inSlices }: Pick<ServerContext, 'secrets' | 'logger' | 'inSlices'>,
): Promise<string[]> {
  const describe = (row: WebhookConfigRow): string[] => {
    try {
      return [describeWebhookConfig(row, secrets)]
    } catch (error) {
      if (!(error instanceof StoredDataError || error instanceof SealError)) throw error
      logger.error({ webhook_config_id: row.id, err: error }, 'a configuration was left out of a list')
      return []
    }
  }
  return (await Promise.all(rows.map(async (row) => await inSlices(() => describe(row))))).flat()
}

/**
 * A configuration as JSON text. The stored templates are spliced in, so that their key order and their numbers
 * reach the client as they were written. Credentials are masked for their owner too, so that a stolen session
 * reveals none.
 */
export function describeWebhookConfig(row: WebhookConfigRow, secrets: SecretBox): string {
  const { payload_template: template, event_templates, ...rest } = row
  const authentication = openReadableAuthentication(rest.authentication, secrets)
  const config: Omit<WebhookConfig, 'payload_template' | 'event_templates'> = {
    id: rest.id,
    webhook_name: rest.webhook_name,
    endpoint_url: rest.endpoint_url,
    request_method: rest.request_method,
    payload_type: rest.payload_type,
    is_active: rest.is_active,
    trigger_on_lead_created: rest.trigger_on_lead_created,
    trigger_on_lead_assigned: rest.trigger_on_lead_assigned,
    // One of a newer version is left out.
    events: rest.events.filter(
      (event) => clientEventSchema.safeParse(event).success,
    ) as WebhookConfig['events'],
    custom_headers: maskCredentials(openReadableHeaders(rest.custom_headers, secrets)),
    missing_values: rest.missing_values,
    success_rule: readSuccessRule(rest.success_rule),
    capture_path: rest.capture_path,
    conditions: readConditions(rest.conditions),
    sending_hours: readSendingHours(rest.sending_hours),
    requests_per_minute: rest.requests_per_minute,
    authentication: maskAuthentication(authentication ?? { type: 'none' }),
    authentication_unreadable: authentication === undefined,
    ca_certificate: rest.ca_certificate,
    client_certificate: rest.client_certificate,
    client_key: rest.client_key === null ? null : maskValue(''),
    sign_asymmetric: rest.sign_asymmetric,
    member_user_id: rest.member_user_id,
    client_user_id: rest.client_user_id,
    created_by: rest.created_by,
    disabled_reason: rest.disabled_reason,
    created_at: rest.created_at.toISOString(),
    updated_at: rest.updated_at.toISOString(),
  }
  const ofEvents = Object.entries(readEventTemplates(event_templates)).map(
    ([event, text]) => `${JSON.stringify(event)}:${text}`,
  )
  return `${JSON.stringify(config).slice(0, -1)},"event_templates":{${ofEvents.join(',')}},"payload_template":${template}}`
}
