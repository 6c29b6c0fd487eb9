import { z } from 'zod'
import { missingValuesSchema } from '#core/contract/webhooks/answer-rules.ts'
import { newJsonPathSchema } from '#core/contract/webhooks/json-path.ts'
import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import type { FieldError } from '#core/contract/problem.ts'
import { DEFAULT_PAYLOAD_TEMPLATE, newWebhookConfigSchema } from '#core/contract/webhooks/webhook-config.ts'
import { mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { refuseInUrl } from '#core/domain/webhooks/template/check-address.ts'
import {
  fillJsonConstants,
  fillUrlConstants,
  findConstants,
} from '#core/domain/webhooks/template/constants.ts'
import type { EditableWebhookConfig } from '../queries/webhook-config-text.ts'
import { answerDraftSchema, readRule, showRule } from './answers/answer-rule-values.ts'
import { accessShape, editAccess, NO_ACCESS, writeAccess } from './access/access-values.ts'
import { editEvents, eventShape, NO_EVENTS, writeEvents } from './events/event-values.ts'
import { editFits, fitShape, newFits, placeFitFault, writeFits, type FitPlace } from './fits/fit-values.ts'
import { editRate, rateShape, writeRate } from './sending/rate-values.ts'
import { describeJsonFault, findHeadersFault, findJsonObjectFault } from './check-json-object.ts'

const { webhook_name, endpoint_url, request_method, payload_type } = newWebhookConfigSchema.shape

const jsonText = (findFault: typeof findJsonObjectFault) =>
  z.string().superRefine((text, context) => {
    const fault = findFault(text)
    if (fault !== null) context.addIssue({ code: 'custom', message: describeJsonFault(fault) })
  })

/** Shown on save and before a test if either JSON text is not a JSON object (docs/product.md §8). */
export const INVALID_JSON_MESSAGE = 'Invalid JSON in payload template or custom headers'

/** The starting point of an edited configuration: its saved values. */
export const SAVED = 'saved'

/**
 * The dialog's values. The two JSON fields stay the typed text from the first key to the request; only a
 * preset's constants are filled in when they are sent.
 */
export const webhookFormSchema = z
  .object({
    webhook_name,
    endpoint_url: endpoint_url
      .refine(isWebAddress, 'Enter a full URL, for example https://crm.example.com/webhooks')
      .superRefine((url, context) => {
        const message = refuseInUrl(url)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      }),
    request_method: request_method.unwrap(),
    payload_type: payload_type.unwrap(),
    is_active: z.boolean(),
    trigger_on_lead_assigned: z.boolean(),
    trigger_on_lead_created: z.boolean(),
    /** the person whose leads it gets; null: everybody's */
    member_user_id: z.string().nullable(),
    custom_headers: jsonText(findHeadersFault),
    payload_template: jsonText(findJsonObjectFault),
    sign_asymmetric: z.boolean(),
    preset: z.string(),
    constants: z.record(z.string(), z.string()),
    missing_values: missingValuesSchema,
    answer: answerDraftSchema,
    ...accessShape,
    ...fitShape,
    ...rateShape,
    ...eventShape,
    capture_path: z
      .string()
      .trim()
      .superRefine((path, context) => {
        const [fault] = path === '' ? [] : (newJsonPathSchema.safeParse(path).error?.issues ?? [])
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault.message })
      }),
  })
  .superRefine((values, context) => {
    for (const name of findUnfilled(values)) {
      context.addIssue({
        code: 'custom',
        path: ['constants', name],
        message: `Fill in ${labelConstant(name)}`,
      })
    }
  })
export type WebhookFormValues = z.infer<typeof webhookFormSchema>

/** Defaults of a new configuration (docs/product.md §4). */
export const NEW_WEBHOOK_VALUES: Readonly<WebhookFormValues> = {
  webhook_name: '',
  endpoint_url: '',
  request_method: 'POST',
  payload_type: 'JSON',
  is_active: true,
  trigger_on_lead_assigned: true,
  trigger_on_lead_created: false,
  member_user_id: null,
  custom_headers: '{}',
  payload_template: JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE, null, 2),
  sign_asymmetric: false,
  preset: PRESETS[0].id,
  constants: {},
  missing_values: 'empty',
  answer: showRule(null),
  capture_path: '',
  requests_per_minute: '',
  ...NO_ACCESS,
  ...newFits(),
  ...NO_EVENTS,
}

/** Converts an existing configuration to the form's values, with its JSON texts as the API sent them. */
export function editWebhookValues({
  config,
  headersText,
  templateText,
  eventTemplateTexts,
}: EditableWebhookConfig): WebhookFormValues {
  return {
    webhook_name: config.webhook_name,
    endpoint_url: config.endpoint_url,
    request_method: config.request_method,
    payload_type: config.payload_type,
    is_active: config.is_active,
    trigger_on_lead_assigned: config.trigger_on_lead_assigned,
    trigger_on_lead_created: config.trigger_on_lead_created,
    member_user_id: config.member_user_id,
    custom_headers: headersText,
    payload_template: templateText,
    sign_asymmetric: config.sign_asymmetric,
    preset: SAVED,
    constants: {},
    missing_values: config.missing_values,
    answer: showRule(config.success_rule),
    capture_path: config.capture_path ?? '',
    requests_per_minute: editRate(config.requests_per_minute),
    ...editAccess(config),
    ...editFits(config),
    ...editEvents({ config, eventTemplateTexts }),
  }
}

/** Returns the values to send, with constants filled in and the success rule assembled. */
export function writeWebhookFields(values: WebhookFormValues) {
  const { preset: _preset, constants, answer, capture_path, ...rest } = values
  const {
    authentication: _authentication,
    ca_certificate: _authority,
    client_certificate: _certificate,
    client_key: _key,
    stored_key: _mask,
    is_saved: _isSaved,
    conditions: _conditions,
    sending_hours: _hours,
    ...fields
  } = rest
  return {
    ...fields,
    endpoint_url: fillUrlConstants(fields.endpoint_url.trim(), constants),
    custom_headers: fillJsonConstants(fields.custom_headers, constants),
    payload_template: fillJsonConstants(fields.payload_template, constants),
    success_rule: readRule(answer),
    capture_path: capture_path.trim() === '' ? null : capture_path.trim(),
    requests_per_minute: writeRate(fields.requests_per_minute),
    ...writeAccess(values),
    ...writeFits(values),
    ...writeEvents(values),
  }
}

type TextsWithConstants = Pick<WebhookFormValues, 'endpoint_url' | 'custom_headers' | 'payload_template'>

/** Returns the names of the constants in a form's texts, filled in or not. */
export function constantsOf(texts: TextsWithConstants): string[] {
  return findConstants(`${texts.endpoint_url} ${texts.custom_headers} ${texts.payload_template}`)
}

function findUnfilled(values: TextsWithConstants & Pick<WebhookFormValues, 'constants'>): string[] {
  const { constants } = values
  return constantsOf(values).filter(
    (name) => !Object.hasOwn(constants, name) || (constants[name] ?? '').trim() === '',
  )
}

/** Returns the label of a preset's constant; one that was typed by hand is labelled with its name. */
export function labelConstant(name: string): string {
  return describeConstant(name)?.label ?? name
}

export function describeConstant(name: string) {
  return PRESETS.flatMap(({ constants }) => constants).find((constant) => constant.name === name)
}

export interface FieldRefusal {
  field:
    | Exclude<keyof WebhookFormValues, 'conditions' | 'sending_hours'>
    | `authentication.${keyof WebhookFormValues['authentication']}`
    | FitPlace
  message: string
}

/**
 * Returns the field of a server error, with the part it names (`custom_headers.Host`); undefined if the form
 * has no such field.
 */
export function refusalOfField({ path, message }: FieldError): FieldRefusal | undefined {
  const [head, ...part] = path.split('.')
  const field = webhookFormSchema.keyof().options.find((name) => name === head)
  if (field === undefined) return undefined
  if (field === 'authentication') {
    const member = accessShape.authentication.keyof().options.find((name) => name === part[0])
    return { field: member === undefined ? 'authentication.type' : `authentication.${member}`, message }
  }
  if (field === 'conditions' || field === 'sending_hours') return placeFitFault(path, message)
  return { field, message: part.length === 0 ? message : `${part.join('.')}: ${message}` }
}

function isWebAddress(given: string): boolean {
  // A constant in the host counts as a name.
  const text = given.replaceAll(/<<\w+>>/g, 'x')
  return (
    text === '' || mailAddressOf(text) !== undefined || (/^https?:\/\//i.test(text) && URL.canParse(text))
  )
}
