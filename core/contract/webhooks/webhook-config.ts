import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { missingValuesSchema, newSuccessRuleSchema, successRuleSchema } from './answer-rules.ts'
import { newJsonPathSchema } from './json-path.ts'
import { authenticationSchema, newAuthenticationSchema } from './authentication.ts'
import { conditionsSchema, newConditionsSchema } from './conditions.ts'
import { clientEventSchema } from '../events.ts'
import { chosenEventsSchema, eventTemplatesSchema } from './events/chosen-events.ts'
import { anyObject, namedValues } from '../named-values.ts'
import { sendingHoursSchema, shownHoursSchema } from './sending-hours.ts'
import { trimCode, trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** docs/product.md §9: HTTP methods and payload formats. */
export const REQUEST_METHODS = ['POST', 'PUT', 'PATCH'] as const
export const PAYLOAD_TYPES = ['JSON', 'FORM'] as const
export const requestMethodSchema = z.enum(REQUEST_METHODS)
export const payloadTypeSchema = z.enum(PAYLOAD_TYPES)
export type RequestMethod = z.infer<typeof requestMethodSchema>
export type PayloadType = z.infer<typeof payloadTypeSchema>

/** docs/product.md §3: the default template maps each of the eight fields to its placeholder. */
export const DEFAULT_PAYLOAD_TEMPLATE: Readonly<Record<string, string>> = {
  lead_id: '{{id}}',
  name: '{{name}}',
  email: '{{email}}',
  phone: '{{phone}}',
  lead_type: '{{lead_type}}',
  state: '{{state}}',
  city: '{{city}}',
  created_at: '{{created_at}}',
}

const jsonObjectSchema = anyObject('Payload Template must be a JSON object')
const headersSchema = namedValues(z.string(), z.string({ error: 'A header value must be a string' }), {
  error: 'Custom Headers must be a JSON object of strings',
  refusal: 'This header name cannot be used',
})

/** PEM text. core/endpoint/tls/check-certificates.ts checks its content at save. */
const pemSchema = (what: string) =>
  z
    .string({ error: `${what} must be text in PEM form` })
    .trim()
    .max(32_768, `${what} is too long (at most 32,768 characters)`)
    .transform((text) => (text === '' ? null : text))
    .nullable()

/**
 * The credentials that an endpoint asks for, and the authority that it may be trusted by. `client_key` is returned
 * masked; a mask that is sent back keeps the stored value.
 */
/** docs/product.md §9: most receivers with a quota count by the minute. */
export const MOST_REQUESTS_PER_MINUTE = 6000
const requestsPerMinuteSchema = z
  .int('Must be a whole number')
  .min(1, 'Must be at least 1')
  .max(MOST_REQUESTS_PER_MINUTE, 'Must be at most 6,000')
  .nullable()

const accessFields = {
  authentication: newAuthenticationSchema,
  ca_certificate: pemSchema('CA certificate'),
  client_certificate: pemSchema('Client certificate'),
  client_key: pemSchema('Private key'),
}

/** Body of `POST /api/v1/webhook-configs`. Defaults are those of docs/product.md §4. */
export const newWebhookConfigSchema = z.strictObject({
  webhook_name: z
    .string({ error: 'Webhook Name is required' })
    .overwrite(trimText)
    .min(1, 'Webhook Name is required')
    .max(120, 'Webhook Name is too long (at most 120 characters)'),
  endpoint_url: z
    .string({ error: 'Endpoint URL is required' })
    .overwrite(trimCode)
    .min(1, 'Endpoint URL is required')
    .max(2048, 'Endpoint URL is too long (at most 2,048 characters)'),
  request_method: requestMethodSchema.default('POST'),
  payload_type: payloadTypeSchema.default('JSON'),
  is_active: z.boolean().default(true),
  trigger_on_lead_created: z.boolean().default(false),
  trigger_on_lead_assigned: z.boolean().default(true),
  events: chosenEventsSchema.default([]),
  event_templates: eventTemplatesSchema.default({}),
  custom_headers: headersSchema.default({}),
  payload_template: jsonObjectSchema.default({ ...DEFAULT_PAYLOAD_TEMPLATE }),
  missing_values: missingValuesSchema.default('empty'),
  success_rule: newSuccessRuleSchema.nullable().default(null),
  capture_path: newJsonPathSchema.nullable().default(null),
  conditions: newConditionsSchema.nullable().default(null),
  sending_hours: sendingHoursSchema.nullable().default(null),
  requests_per_minute: requestsPerMinuteSchema.default(null),
  member_user_id: z.uuid('Must be the id of a person').nullable().default(null),
  authentication: accessFields.authentication.default({ type: 'none' }),
  ca_certificate: accessFields.ca_certificate.default(null),
  client_certificate: accessFields.client_certificate.default(null),
  client_key: accessFields.client_key.default(null),
  sign_asymmetric: z.boolean().default(false),
})
export type NewWebhookConfig = z.infer<typeof newWebhookConfigSchema>

/** Body of `PATCH /api/v1/webhook-configs/:id`: any subset; absent fields keep their value. */
export const webhookConfigChangeSchema = z.strictObject({
  webhook_name: newWebhookConfigSchema.shape.webhook_name.optional(),
  endpoint_url: newWebhookConfigSchema.shape.endpoint_url.optional(),
  request_method: requestMethodSchema.optional(),
  payload_type: payloadTypeSchema.optional(),
  is_active: z.boolean().optional(),
  trigger_on_lead_created: z.boolean().optional(),
  trigger_on_lead_assigned: z.boolean().optional(),
  events: chosenEventsSchema.optional(),
  event_templates: eventTemplatesSchema.optional(),
  custom_headers: headersSchema.optional(),
  payload_template: jsonObjectSchema.optional(),
  missing_values: missingValuesSchema.optional(),
  success_rule: newSuccessRuleSchema.nullable().optional(),
  capture_path: newJsonPathSchema.nullable().optional(),
  conditions: newConditionsSchema.nullable().optional(),
  sending_hours: sendingHoursSchema.nullable().optional(),
  requests_per_minute: requestsPerMinuteSchema.optional(),
  member_user_id: z.uuid('Must be the id of a person').nullable().optional(),
  authentication: accessFields.authentication.optional(),
  ca_certificate: accessFields.ca_certificate.optional(),
  client_certificate: accessFields.client_certificate.optional(),
  client_key: accessFields.client_key.optional(),
  sign_asymmetric: z.boolean().optional(),
})
export type WebhookConfigChange = z.infer<typeof webhookConfigChangeSchema>

/**
 * A configuration as the API returns it (docs/product.md §3). `disabled_reason` gives the system's reason for switching
 * it off (a 410 from the endpoint, for example); null if a person did. `authentication_unreadable`: what is stored cannot
 * be opened, so `authentication` says `none` until its owner enters it again.
 */
export const webhookConfigSchema = z.object({
  id: z.uuid(),
  webhook_name: z.string(),
  endpoint_url: z.string(),
  request_method: requestMethodSchema,
  payload_type: payloadTypeSchema,
  is_active: z.boolean(),
  trigger_on_lead_created: z.boolean(),
  trigger_on_lead_assigned: z.boolean(),
  events: whenLeftOut(chosenEventsSchema, []),
  event_templates: whenLeftOut(eventTemplatesSchema, {}),
  custom_headers: z.record(z.string(), z.string()),
  payload_template: jsonObjectSchema,
  missing_values: missingValuesSchema,
  success_rule: successRuleSchema.nullable(),
  capture_path: z.string().nullable(),
  authentication: authenticationSchema,
  authentication_unreadable: whenLeftOut(z.boolean(), false),
  ca_certificate: z.string().nullable(),
  client_certificate: z.string().nullable(),
  client_key: z.string().nullable(),
  sign_asymmetric: whenLeftOut(z.boolean(), false),
  conditions: conditionsSchema.nullable(),
  sending_hours: shownHoursSchema.nullable(),
  requests_per_minute: whenLeftOut(z.int().nullable(), null),
  member_user_id: whenLeftOut(z.uuid().nullable(), null),
  client_user_id: accountIdSchema,
  created_by: accountIdSchema.nullable(),
  disabled_reason: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type WebhookConfig = z.infer<typeof webhookConfigSchema>

/** Body and answer of `POST /api/v1/webhook-configs/preview`. */
export const previewRequestSchema = z.strictObject({
  payload_template: jsonObjectSchema,
  payload_type: payloadTypeSchema.default('JSON'),
  missing_values: missingValuesSchema.default('empty'),
  conditions: newConditionsSchema.nullable().default(null),
  lead_id: z.uuid().optional(),
  /** filled in too if they are given; a form leaves out values that hold credentials */
  endpoint_url: newWebhookConfigSchema.shape.endpoint_url.optional(),
  custom_headers: headersSchema.default({}),
})
export const previewSchema = z.object({
  content_type: z.string(),
  body: z.string(),
  /** the URL with its query filled in; null if none was given */
  url: whenLeftOut(z.string().nullable(), null),
  /** the given headers that hold placeholders, filled in; credentials are masked */
  headers: whenLeftOut(z.record(z.string(), z.string()), {}),
  unknown_placeholders: z.array(z.string()),
  /** whether the given conditions would let the lead be sent, and if not, which fields prevent it */
  would_send: z.boolean(),
  unmet: z.array(z.string()),
})
export type PreviewRequest = z.infer<typeof previewRequestSchema>
export type Preview = z.infer<typeof previewSchema>

/**
 * A public key that verifies a webhook's `v1a` signatures; `ends_at`: it was replaced, and also signs until then.
 */
export const signingKeySchema = z.object({
  public_key: z.string().startsWith('whpk_'),
  since: z.string(),
  ends_at: z.string().nullable(),
})
export type SigningKey = z.infer<typeof signingKeySchema>

/**
 * `GET /api/v1/webhook-configs/:id/secret`. Until `previous_expires_at` the replaced secret also signs; null if there
 * is none. `public_keys`: newest first; empty unless the webhook is also signed with Ed25519.
 */
export const signingSecretSchema = z.object({
  secret: z.string().startsWith('whsec_'),
  previous_expires_at: z.string().nullable(),
  public_keys: whenLeftOut(z.array(signingKeySchema), []),
})
export type SigningSecret = z.infer<typeof signingSecretSchema>

/** `GET /api/v1/webhook-configs/limit`. A client that has more keeps them all, and can add none. */
export const webhookLimitSchema = z.object({ max_per_client: z.int() })

/** `GET /api/v1/webhook-configs/mail-addresses`. */
export const mailAddressesSchema = z.object({ mail_addresses: z.array(z.string()) })
export type MailAddresses = z.infer<typeof mailAddressesSchema>

/**
 * Body of the function `test-webhook-endpoint`, in both forms of docs/product.md §7: the dialog's fields, or the id of
 * a saved configuration. With both, the fields are tested under the saved one's signing secret.
 */
export const endpointTestSchema = z
  .object({
    webhookId: z.uuid().nullish(),
    endpoint_url: newWebhookConfigSchema.shape.endpoint_url.optional(),
    http_method: requestMethodSchema.optional(),
    request_method: requestMethodSchema.optional(),
    payload_type: payloadTypeSchema.default('JSON'),
    custom_headers: headersSchema.default({}),
    payload_template: jsonObjectSchema.default({ ...DEFAULT_PAYLOAD_TEMPLATE }),
    /** the event beside the lead whose example is sent in its own template, instead of the test lead */
    event: clientEventSchema.optional(),
    event_templates: eventTemplatesSchema.optional(),
    missing_values: missingValuesSchema.default('empty'),
    success_rule: newSuccessRuleSchema.nullable().default(null),
    capture_path: newJsonPathSchema.nullable().default(null),
    /** a test ignores these two; the answer says so */
    conditions: newConditionsSchema.nullable().default(null),
    sending_hours: sendingHoursSchema.nullable().default(null),
    authentication: accessFields.authentication.optional(),
    ca_certificate: accessFields.ca_certificate.optional(),
    client_certificate: accessFields.client_certificate.optional(),
    client_key: accessFields.client_key.optional(),
    sign_asymmetric: z.boolean().optional(),
  })
  .refine((body) => typeof body.webhookId === 'string' || body.endpoint_url !== undefined, {
    error: 'Endpoint URL is required',
    path: ['endpoint_url'],
  })
export type EndpointTest = z.infer<typeof endpointTestSchema>
