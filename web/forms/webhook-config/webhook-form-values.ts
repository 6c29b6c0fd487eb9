import { z } from 'zod'
import type { FieldError } from '../../../core/contract/problem.ts'
import { DEFAULT_PAYLOAD_TEMPLATE, newWebhookConfigSchema } from '../../../core/contract/webhook-config.ts'
import type { EditableWebhookConfig } from '../../api/webhook-config-text.ts'
import { describeJsonFault, findHeadersFault, findJsonObjectFault } from './check-json-object.ts'

const { webhook_name, endpoint_url, request_method, payload_type } = newWebhookConfigSchema.shape

const jsonText = (findFault: typeof findJsonObjectFault) =>
  z.string().superRefine((text, context) => {
    const fault = findFault(text)
    if (fault !== null) context.addIssue({ code: 'custom', message: describeJsonFault(fault) })
  })

/** SPEC.md §8: shown on save and before a test when either JSON text is not a JSON object. */
export const INVALID_JSON_MESSAGE = 'Invalid JSON in payload template or custom headers'

/** What the dialog holds. The two JSON fields stay the text that was typed, from the first key to the wire. */
export const webhookFormSchema = z.object({
  webhook_name,
  endpoint_url: endpoint_url.refine(
    isWebAddress,
    'Enter a full URL, for example https://crm.example.com/webhooks',
  ),
  request_method: request_method.unwrap(),
  payload_type: payload_type.unwrap(),
  is_active: z.boolean(),
  trigger_on_lead_assigned: z.boolean(),
  trigger_on_lead_created: z.boolean(),
  custom_headers: jsonText(findHeadersFault),
  payload_template: jsonText(findJsonObjectFault),
})
export type WebhookFormValues = z.infer<typeof webhookFormSchema>

/** SPEC.md §4: how a new configuration begins. */
export const NEW_WEBHOOK_VALUES: Readonly<WebhookFormValues> = {
  webhook_name: '',
  endpoint_url: '',
  request_method: 'POST',
  payload_type: 'JSON',
  is_active: true,
  trigger_on_lead_assigned: true,
  trigger_on_lead_created: false,
  custom_headers: '{}',
  payload_template: JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE, null, 2),
}

/** The form's values for a configuration that exists, its JSON texts as the API sent them. */
export function editWebhookValues({
  config,
  headersText,
  templateText,
}: EditableWebhookConfig): WebhookFormValues {
  return {
    webhook_name: config.webhook_name,
    endpoint_url: config.endpoint_url,
    request_method: config.request_method,
    payload_type: config.payload_type,
    is_active: config.is_active,
    trigger_on_lead_assigned: config.trigger_on_lead_assigned,
    trigger_on_lead_created: config.trigger_on_lead_created,
    custom_headers: headersText,
    payload_template: templateText,
  }
}

export interface FieldRefusal {
  field: keyof WebhookFormValues
  message: string
}

/** The field that a server's fault belongs to, the part of it named (`custom_headers.Host`); undefined for no field of ours. */
export function refusalOfField({ path, message }: FieldError): FieldRefusal | undefined {
  const [head, ...part] = path.split('.')
  const field = webhookFormSchema.keyof().options.find((name) => name === head)
  if (field === undefined) return undefined
  return { field, message: part.length === 0 ? message : `${part.join('.')}: ${message}` }
}

function isWebAddress(text: string): boolean {
  return text === '' || (/^https?:\/\//i.test(text) && URL.canParse(text))
}
