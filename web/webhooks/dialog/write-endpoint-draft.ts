import type { EndpointDraft } from '../queries/webhook-endpoint-test.ts'
import { writeAccess } from './access/access-values.ts'
import { readFits } from './fits/fit-values.ts'
import { writeWebhookFields, type WebhookFormValues } from './webhook-form-values.ts'

/** What Test Endpoint sends of the form (docs/product.md §7); `configId` where masks stand for the values of a saved one. */
export function writeEndpointDraft(held: WebhookFormValues, configId: string | null): EndpointDraft {
  const values = writeWebhookFields(held)
  const { endpoint_url, request_method, payload_type, custom_headers, payload_template } = values
  const { missing_values, success_rule, capture_path } = values
  const { conditions, sending_hours: hours } = readFits(held)
  return {
    ...(configId === null ? {} : { webhookId: configId }),
    endpoint_url,
    http_method: request_method,
    payload_type,
    custom_headers,
    payload_template,
    // docs/product.md §7 names the five above; these are sent only where they ask for something.
    ...(missing_values === 'empty' ? {} : { missing_values }),
    ...(success_rule === null ? {} : { success_rule }),
    ...(capture_path === null ? {} : { capture_path }),
    // A test asks neither, and says so; half-filled ones are no reason to refuse it.
    ...(conditions ? { conditions } : {}),
    ...(hours ? { sending_hours: hours } : {}),
    ...writeAccess(held),
  }
}
