import type { KeyObject } from 'node:crypto'
import type { MissingValues } from '../contract/webhooks/answer-rules.ts'
import type { PayloadEvent } from '../contract/events.ts'
import type { PayloadType, RequestMethod } from '../contract/webhooks/webhook-config.ts'
import type { AnswerRules } from '../domain/webhooks/answer/judge-body.ts'
import type { CompiledTemplate } from '../domain/webhooks/template/compile-template.ts'
import { mailAddressOf } from '../domain/webhooks/by-mail/mail-address.ts'
import { writeMailText, writeSubject } from '../domain/webhooks/by-mail/write-mail.ts'
import { fillAddress, type CompiledAddress } from '../domain/webhooks/template/fill-address.ts'
import {
  countFormatted,
  LARGEST_PAYLOAD,
  PayloadTooLargeError,
} from '../domain/webhooks/template/payload-size.ts'
import { CONTENT_TYPES, renderCompiled } from '../domain/webhooks/template/render-template.ts'
import type { PlaceholderValues } from '../domain/webhooks/template/placeholder-value.ts'
import { signAsymmetric } from './sign-asymmetric.ts'
import { signPayload } from './sign.ts'

/**
 * One HTTP request to a client's endpoint, complete: the transport sends exactly what the log keeps. For a `mailto:` URL
 * it is a mail, with `to`, `subject` and `message-id` among its headers.
 */
export interface WebhookRequest {
  url: string
  /** the URL as configured, if placeholders were filled into its query: then `url` may hold a person's data */
  configuredUrl?: string
  /** GET only for the challenge of a certification */
  method: RequestMethod | 'GET'
  headers: Record<string, string>
  body: string
  /** the reason why it must not be sent, in words for the client; its body is empty then */
  refusal?: string
  /** `gone`: the refusal also switches the configuration off; `for_good`: it is not tried again */
  refusedAs?: 'gone' | 'for_good'
  /** the only addresses that may be sent it; any that is allowed if not given */
  onlyTo?: readonly string[]
  /** the work of making its payload, in characters written; the payload's length if not given */
  weight?: number
}

/** Everything in a configuration that shapes its requests and the reading of their answers; secrets in clear. */
export interface RequestSettings {
  endpointUrl: string
  method: RequestMethod
  payloadType: PayloadType
  template: CompiledTemplate
  missingValues: MissingValues
  answerRules: AnswerRules
  customHeaders: Readonly<Record<string, string>>
  /** the placeholders in the URL's query and in custom headers; undefined if there are none */
  address?: CompiledAddress | undefined
  /** the current one first; two while a rotated secret overlaps */
  signingSecrets: readonly string[]
  /** Ed25519 keys that sign too, the newest first; none unless the client wants it */
  signingKeys?: readonly KeyObject[]
}

/** The delivery of a request. `eventId` is the receiver's idempotency key: the same on every retry and resend. */
export interface RequestIdentity {
  event: PayloadEvent
  eventId: string
  deliveryId: string
  attempt: number
  /** the number of the entry in the client's feed that caused it */
  sequence?: string | null
  sentAt: Date
}

/** Cost of a character in the slowest format (`title`), in characters that are written in the same time. */
const FORMATTING = 2

/**
 * Renders, signs and addresses one request (docs/contract.md §5 'Request'); it has a refusal if its payload would be
 * too long.
 */
export function prepareRequest(
  settings: RequestSettings,
  identity: RequestIdentity,
  values: PlaceholderValues,
  publicUrl: string,
): WebhookRequest {
  const address = mailAddressOf(settings.endpointUrl)
  if (address !== undefined) return prepareMail(settings, address, identity, { values, publicUrl })
  const { contentType, body, url, customHeaders, ...told } = render(settings, values)
  const timestamp = Math.floor(identity.sentAt.getTime() / 1000)
  return {
    url: url ?? settings.endpointUrl,
    ...(url === undefined ? {} : { configuredUrl: settings.endpointUrl }),
    method: settings.method,
    headers: {
      // A custom User-Agent or Accept may replace these two; every header below is refused at save.
      'user-agent': `Leadwire-Webhooks/1 (+${publicUrl}/documentation)`,
      accept: '*/*',
      ...replacingOurs({ ...settings.customHeaders, ...customHeaders }),
      'content-type': contentType,
      'accept-encoding': 'identity',
      'webhook-id': identity.eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signBody(settings, identity.eventId, timestamp, body),
      ...nameDelivery(identity),
    },
    body,
    ...told,
  }
}

function nameDelivery({ event, deliveryId, attempt, sequence }: RequestIdentity): Record<string, string> {
  return {
    'leadwire-event': event,
    'leadwire-delivery': deliveryId,
    'leadwire-attempt': String(attempt),
    ...(typeof sequence === 'string' && { 'leadwire-sequence': sequence }),
  }
}

const NO_RECEIPT =
  'Nothing was sent: a mail is no receipt, so a revocation does not go by mail. Acknowledge it on the page of its lead.'

/**
 * The same delivery as a mail. It has neither the client's headers nor a signature: the mail server signs it (DKIM). The
 * Message-ID is the delivery's, so its retries are one mail to a mail program.
 */
function prepareMail(
  settings: RequestSettings,
  address: string,
  identity: RequestIdentity,
  { values, publicUrl }: { values: PlaceholderValues; publicUrl: string },
): WebhookRequest {
  const { event, eventId, deliveryId } = identity
  const form = { ...settings, payloadType: 'FORM' as const, address: undefined }
  const { body, weight, ...told } = render(form, values)
  // It was planned, or sent before, while the webhook had an endpoint.
  const refusal = event === 'lead.consent_revoked' ? NO_RECEIPT : told.refusal
  return {
    url: settings.endpointUrl,
    method: settings.method,
    headers: {
      to: address,
      subject: writeSubject(event, eventId, values),
      'message-id': `<${deliveryId}@${new URL(publicUrl).hostname}>`,
      'content-type': 'text/plain; charset=utf-8',
      'webhook-id': eventId,
      ...nameDelivery(identity),
    },
    body: refusal === undefined ? writeMailText(event, body, values) : '',
    weight,
    ...(refusal !== undefined && { refusal }),
  }
}

/** The `webhook-signature` header over exactly these bytes: of each secret, then of each key. */
export function signBody(
  { signingSecrets, signingKeys = [] }: Pick<RequestSettings, 'signingSecrets' | 'signingKeys'>,
  id: string,
  timestamp: number,
  body: string,
): string {
  const signatures = signAsymmetric(signingKeys, id, timestamp, body)
  return [signPayload(signingSecrets, id, timestamp, body), ...signatures].join(' ')
}

interface Rendered {
  contentType: string
  body: string
  /** undefined if nothing was filled into it */
  url: string | undefined
  /** those that placeholders were filled into */
  customHeaders: Record<string, string>
  weight: number
  refusal?: string
}

function render(
  { template, payloadType, missingValues, address }: RequestSettings,
  values: PlaceholderValues,
): Rendered {
  try {
    const formattedBeside = countFormatted(LARGEST_PAYLOAD)
    const filled = address && fillAddress(address, values, formattedBeside.note)
    const { contentType, body, formatted } = renderCompiled(
      template,
      payloadType,
      values,
      missingValues,
      LARGEST_PAYLOAD,
    )
    return {
      contentType,
      body,
      url: filled?.url,
      customHeaders: filled?.headers ?? {},
      weight: body.length + FORMATTING * (formatted + formattedBeside.count()),
    }
  } catch (error) {
    if (!(error instanceof PayloadTooLargeError)) throw error
    const refusal = `${error.message} Nothing was sent. ${error.advice}`
    // This much was read, or counted, before the payload was given up.
    return {
      contentType: CONTENT_TYPES[payloadType],
      body: '',
      url: undefined,
      // Nothing is sent, so the log shows no unfilled value as if it had been.
      customHeaders: Object.fromEntries([...(address?.headers.keys() ?? [])].map((name) => [name, ''])),
      weight: FORMATTING * LARGEST_PAYLOAD,
      refusal,
    }
  }
}

function replacingOurs(headers: Readonly<Record<string, string>>): Record<string, string> {
  const ours = new Set(['user-agent', 'accept'])
  // Names keep the client's upper and lower case, except where they replace one of ours.
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      ours.has(name.toLowerCase()) ? name.toLowerCase() : name,
      value,
    ]),
  )
}
