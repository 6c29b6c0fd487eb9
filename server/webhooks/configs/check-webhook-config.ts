import type { FieldError } from '#core/contract/problem.ts'
import type { WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import type { WebhookConfigFields, WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { cleanText } from '#core/domain/clean-text.ts'
import { refuseUnfilled } from '#core/domain/webhooks/template/constants.ts'
import type { Conditions } from '#core/contract/webhooks/conditions.ts'
import { readCircle } from '#core/domain/market/orders/zip-area.ts'
import { refuseUnknownPlace } from '#core/zip-table/zip-table.ts'
import { readStates } from '#core/domain/webhooks/conditions/read-states.ts'
import { JsonSyntaxError, readMember } from '#core/domain/webhooks/template/json-tree.ts'
import {
  refuseFilled,
  refuseInUrl,
  withoutPlaceholders,
} from '#core/domain/webhooks/template/check-address.ts'
import { refuseTemplate } from '#core/domain/webhooks/template/check-template.ts'
import {
  refuseInAuthentication,
  refusePlaceholdersIn,
} from '#core/domain/webhooks/template/misplaced-placeholders.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { checkEndpointAccess, type CheckedAccess } from '../check-endpoint-access.ts'
import { findMailFaults, refuseMailUrl } from './check-mail-endpoint.ts'
import { readEventTemplates } from './read-event-templates.ts'

/** A checked configuration: in its stored form, and, unsealed, the parts that its endpoint receives. */
export type CheckedConfig = { fields: WebhookConfigFields } & Pick<CheckedAccess, 'customHeaders' | 'access'>

/**
 * Refuses a configuration that could never deliver, and converts it to its stored form: credentials sealed,
 * the template as the text that was sent.
 * @param bodyText the request's body, from which the template is cut
 * @param stored the configuration that is changed or tested: masks stand for its credentials
 * @throws AppError unusable_endpoint, validation_failed
 */
export function checkWebhookConfig(
  context: Pick<ServerContext, 'webhooks' | 'secrets'>,
  given: WebhookConfigChange,
  bodyText: string,
  stored?: WebhookConfigRow,
): CheckedConfig {
  const name = given.webhook_name === undefined ? undefined : cleanText(given.webhook_name)
  const url = given.endpoint_url === undefined ? undefined : checkUrl(context, given.endpoint_url)
  const checked = checkEndpointAccess(context, given, stored)
  const template =
    given.payload_template === undefined ? undefined : readTemplate(bodyText, given.payload_template)
  const eventTemplates = readEventTemplates(bodyText, given.event_templates)
  const chosen = given.conditions ? readStates(given.conditions) : undefined
  const errors: FieldError[] = [
    ...(name === '' ? [{ path: 'webhook_name', message: 'Webhook Name is required' }] : []),
    ...(url?.ok === false ? [{ path: 'endpoint_url', message: url.reason }] : []),
    ...findMailFaults(given, stored),
    ...checked.errors,
    ...findFilledFaults(given),
    ...findTemplateFaults(template),
    ...eventTemplates.errors,
    ...(chosen?.errors ?? []),
    ...findUnknownCentres(given.conditions ?? null),
  ]
  if (url?.ok === false) throw new AppError('unusable_endpoint', url.reason, { errors })
  if (errors.length > 0) {
    throw new AppError('validation_failed', `The configuration has ${errors.length} fault(s).`, { errors })
  }
  return {
    fields: {
      ...pickPlain(given),
      ...(name === undefined ? {} : { webhook_name: name }),
      ...checked.fields,
      ...(url === undefined && given.custom_headers === undefined ? {} : { fills_address: true }),
      ...(template?.ok === true ? { payload_template: template.text } : {}),
      ...definedOnly({
        success_rule: writeJson(given.success_rule),
        event_templates: eventTemplates.stored,
        conditions: writeJson(chosen?.conditions ?? given.conditions),
        sending_hours: writeJson(given.sending_hours),
      }),
    },
    customHeaders: checked.customHeaders,
    access: checked.access,
  }
}

/** The given fields that are stored as they were given. */
function pickPlain(given: WebhookConfigChange) {
  const {
    custom_headers: _headers,
    authentication: _authentication,
    ca_certificate: _authority,
    client_certificate: _certificate,
    client_key: _key,
    payload_template: _parsed,
    event_templates: _eventTemplates,
    success_rule: _rule,
    conditions: _conditions,
    sending_hours: _hours,
    ...plain
  } = given
  return definedOnly(plain)
}

/** Finds placeholders where none may be, and constants of a preset that were left as they are. */
function findFilledFaults({ custom_headers: headers, authentication }: WebhookConfigChange): FieldError[] {
  return [
    ...refusePlaceholdersIn('custom_headers', headers ?? {}, refuseFilled),
    ...refusePlaceholdersIn('authentication', authentication ?? {}, refuseInAuthentication),
    ...refusePlaceholdersIn('custom_headers', headers ?? {}, refuseUnfilled),
  ]
}

function findTemplateFaults(template: TemplateReading | undefined): FieldError[] {
  if (template === undefined) return []
  const message = template.ok ? refuseUnfilled(template.text) : template.reason
  return message === undefined ? [] : [{ path: 'payload_template', message }]
}

/** For a column that is null if nothing is set; undefined keeps the stored value. */
function writeJson(value: object | null | undefined): string | null | undefined {
  return value === null || value === undefined ? value : JSON.stringify(value)
}

/** Checks for constants and placeholders first: in the host they would only be reported as a bad name. */
function checkUrl(
  context: Pick<ServerContext, 'webhooks'>,
  text: string,
): { ok: true } | { ok: false; reason: string } {
  const reason =
    refuseUnfilled(text) ?? refuseInUrl(text) ?? (isMailUrl(text) ? refuseMailUrl(context, text) : undefined)
  if (reason !== undefined) return { ok: false, reason }
  return isMailUrl(text) ? { ok: true } : context.webhooks.guard.checkUrl(withoutPlaceholders(text))
}

type TemplateReading = { ok: true; text: string } | { ok: false; reason: string }

/** The template's own text, or the default's if the body left it out. */
export function readTemplate(bodyText: string, parsed: Readonly<Record<string, unknown>>): TemplateReading {
  try {
    const text = readMember(bodyText, 'payload_template') ?? JSON.stringify(parsed)
    const reason = refuseTemplate(text)
    return reason === undefined ? { ok: true, text } : { ok: false, reason }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, reason: error.message }
    throw error
  }
}

function definedOnly<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
}

/** Finds circles around ZIP codes whose place is unknown: they would have no lead. */
function findUnknownCentres(conditions: Conditions | null): FieldError[] {
  return (conditions?.rules ?? []).flatMap((rule, index) => {
    if (rule.field !== 'zip') return []
    const centres = (rule.is ?? rule.is_not ?? []).flatMap((value) => readCircle(value)?.near_zip ?? [])
    const [message] = centres.flatMap((zip) => refuseUnknownPlace(zip) ?? [])
    const path = `conditions.rules.${index}.${rule.is === undefined ? 'is_not' : 'is'}`
    return message === undefined ? [] : [{ path, message }]
  })
}
