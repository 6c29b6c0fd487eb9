import type { FieldError } from '#core/contract/problem.ts'
import type { WebhookConfigChange } from '#core/contract/webhook-config.ts'
import type { WebhookConfigFields } from '#core/data/webhook-configs.ts'
import { checkCustomHeaders } from '#core/domain/custom-headers.ts'
import { JsonSyntaxError, readMember } from '#core/domain/json-tree.ts'
import { refuseTemplateSize } from '#core/domain/render-template.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'

/**
 * Refuses what could never be delivered, and turns what was sent into what is stored: header values sealed, the template as
 * the text that was sent.
 * @param bodyText the request's body, from which the template is cut
 * @throws AppError unusable_endpoint, validation_failed
 */
export function checkWebhookConfig(
  context: Pick<ServerContext, 'guard' | 'secrets'>,
  given: WebhookConfigChange,
  bodyText: string,
): WebhookConfigFields {
  const errors: FieldError[] = []
  const url = given.endpoint_url === undefined ? undefined : context.guard.checkUrl(given.endpoint_url)
  if (url?.ok === false) errors.push({ path: 'endpoint_url', message: url.reason })
  errors.push(...checkCustomHeaders(given.custom_headers ?? {}))
  const template =
    given.payload_template === undefined ? undefined : readTemplate(bodyText, given.payload_template)
  if (template !== undefined && !template.ok)
    errors.push({ path: 'payload_template', message: template.reason })
  if (url?.ok === false) throw new AppError('unusable_endpoint', url.reason, { errors })
  if (errors.length > 0) {
    throw new AppError('validation_failed', `The configuration has ${errors.length} fault(s).`, { errors })
  }
  const { custom_headers: headers, payload_template: _parsed, ...rest } = given
  return {
    ...definedOnly(rest),
    ...(headers === undefined ? {} : { custom_headers: JSON.stringify(sealHeaders(context, headers)) }),
    ...(template?.ok === true ? { payload_template: template.text } : {}),
  }
}

type TemplateReading = { ok: true; text: string } | { ok: false; reason: string }

/** The template's own text, or its default's where the body left it out. */
export function readTemplate(bodyText: string, parsed: Readonly<Record<string, unknown>>): TemplateReading {
  try {
    const text = readMember(bodyText, 'payload_template') ?? JSON.stringify(parsed)
    const reason = refuseTemplateSize(text)
    return reason === undefined ? { ok: true, text } : { ok: false, reason }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, reason: error.message }
    throw error
  }
}

function sealHeaders(
  { secrets }: Pick<ServerContext, 'secrets'>,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.seal(value)]))
}

function definedOnly<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
}
