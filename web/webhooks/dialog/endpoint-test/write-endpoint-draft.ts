import type { ClientEvent } from '#core/contract/events.ts'
import type { EndpointDraft } from '../../queries/webhook-endpoint-test.ts'
import { writeAccess } from '../access/access-values.ts'
import { readFits } from '../fits/fit-values.ts'
import { writeWebhookFields, type WebhookFormValues } from '../webhook-form-values.ts'

/**
 * Builds the request of Test Endpoint from the form (docs/product.md §7). `configId` names the saved
 * configuration whose values replace masks.
 */
export function writeEndpointDraft(held: WebhookFormValues, configId: string | null): EndpointDraft {
  const values = writeWebhookFields(held)
  const { endpoint_url, request_method, payload_type, custom_headers, payload_template } = values
  const { missing_values, success_rule, capture_path, sign_asymmetric } = values
  const { conditions, sending_hours: hours } = readFits(held)
  return {
    ...(configId === null ? {} : { webhookId: configId }),
    endpoint_url,
    http_method: request_method,
    payload_type,
    custom_headers,
    payload_template,
    // docs/product.md §7 names the five fields above; these are sent only if they differ from the default.
    ...(missing_values === 'empty' ? {} : { missing_values }),
    ...(success_rule === null ? {} : { success_rule }),
    ...(capture_path === null ? {} : { capture_path }),
    ...(sign_asymmetric ? { sign_asymmetric } : {}),
    // A test ignores both and says so, so incomplete ones must not make it fail.
    ...(conditions ? { conditions } : {}),
    ...(hours ? { sending_hours: hours } : {}),
    ...writeAccess(held),
  }
}

/**
 * Builds the request of a test of an event beside the lead: its template, without what is about leads. An event without a
 * template of its own has the default.
 */
export function writeEventDraft(
  held: WebhookFormValues,
  configId: string | null,
  event: ClientEvent,
): EndpointDraft {
  const own = held.event_templates[event]
  const fields = writeWebhookFields({
    ...held,
    // A fault in it is no matter of the event.
    payload_template: '{}',
    event_templates: own === undefined ? {} : { [event]: own },
  })
  return {
    ...(configId === null ? {} : { webhookId: configId }),
    endpoint_url: fields.endpoint_url,
    http_method: fields.request_method,
    payload_type: fields.payload_type,
    custom_headers: fields.custom_headers,
    payload_template: fields.payload_template,
    event,
    event_templates: fields.event_templates,
    ...(fields.missing_values === 'empty' ? {} : { missing_values: fields.missing_values }),
    ...(fields.sign_asymmetric ? { sign_asymmetric: true } : {}),
    ...writeAccess(held),
  }
}
