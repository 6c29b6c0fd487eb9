import type { ClientEvent } from '#core/contract/events.ts'
import type { EndpointTest, WebhookConfigChange } from '#core/contract/webhooks/webhook-config.ts'
import { readConditions, readSendingHours, readSuccessRule } from '#core/data/webhooks/sending-configs.ts'
import { findSigningSecrets } from '#core/data/webhooks/signing-secrets.ts'
import { findWebhookConfig, type WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { NO_RULES } from '#core/domain/webhooks/answer/judge-body.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { withoutPlaceholders } from '#core/domain/webhooks/template/check-address.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { createEventTemplates } from '#core/endpoint/event-templates.ts'
import { compileAddress } from '#core/domain/webhooks/template/fill-address.ts'
import {
  findPlaceholderFaults,
  findPlaceholders,
} from '#core/domain/webhooks/template/misplaced-placeholders.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import type { RequestSettings } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import { AppError } from '#core/errors.ts'
import { openAccess, openHeaders } from '#core/secrets/open-credentials.ts'
import { openSigningKey, takeSigningKeys } from '#core/secrets/signing-keys.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { isOwn } from '../../market/own-member.ts'
import { refuseMailUrl } from '../configs/check-mail-endpoint.ts'
import { checkWebhookConfig } from '../configs/check-webhook-config.ts'
import { openSigningSecret, requireReadableCredentials } from '../find-unreadable.ts'
import type { Ignored } from './describe-endpoint-test.ts'

/** Everything that shapes a test. */
export type TestSettings = RequestSettings & {
  access: EndpointAccess
  /** the event beside the lead that is tested, in its own template; undefined: the test lead */
  event?: ClientEvent
  /** its conditions or sending hours, which a test does not check */
  ignored: Ignored
  /** placeholders that are sent unfilled */
  misplaced: string[]
}

/**
 * Reads what to test: the values of a form, or a saved configuration.
 * @param bodyText the request's body, from which templates are cut
 * @returns undefined if the caller has no such configuration
 * @throws AppError unusable_endpoint, validation_failed
 */
export async function readTestSettings(
  context: ServerContext,
  caller: Principal,
  given: EndpointTest,
  bodyText: string,
): Promise<TestSettings | undefined> {
  const { db, secrets } = context
  const saved = typeof given.webhookId === 'string' ? given.webhookId : undefined
  const config = saved === undefined ? undefined : await findWebhookConfig(db, caller.user_id, saved)
  if (saved !== undefined && (config === undefined || !isOwn(caller, config))) return undefined
  const sealed = saved === undefined ? undefined : await findSigningSecrets(db, caller.user_id, saved)
  // An unsaved endpoint has no secret yet: a temporary one keeps the request's form.
  const signingSecrets =
    sealed === undefined
      ? [createSigningSecret()]
      : [sealed.current, ...(sealed.previous === null ? [] : [sealed.previous.sealed])].map((secret) =>
          openSigningSecret(secret, secrets),
        )
  const isAsymmetric =
    (given.endpoint_url === undefined ? config?.sign_asymmetric : given.sign_asymmetric) === true
  const signingKeys =
    isAsymmetric && saved !== undefined
      ? (await takeSigningKeys(db, secrets)).map(({ seed_sealed: seed }) =>
          openSigningKey(secrets, seed, saved),
        )
      : []
  if (given.endpoint_url !== undefined) {
    const { endpoint_url: endpointUrl, payload_template: template } = given
    const checked = checkWebhookConfig(context, pickTested(given), bodyText, config)
    const eventTemplates = JSON.parse(checked.fields.event_templates ?? '{}') as unknown
    return {
      endpointUrl,
      method: given.request_method ?? given.http_method ?? 'POST',
      payloadType: given.payload_type,
      template: compileTemplate(checked.fields.payload_template ?? JSON.stringify(template)),
      missingValues: given.missing_values,
      // A mail server's words are not read by the client's rules.
      answerRules: isMailUrl(endpointUrl)
        ? NO_RULES
        : { successRule: given.success_rule, capturePath: given.capture_path },
      customHeaders: checked.customHeaders,
      address: compileAddress(endpointUrl, checked.customHeaders),
      access: checked.access,
      ignored: given,
      misplaced: [],
      signingSecrets,
      signingKeys,
      ...aboutEvent(given.event, eventTemplates),
    }
  }
  if (config === undefined) return undefined
  requireReadableCredentials(config, secrets)
  const customHeaders = openHeaders(config.custom_headers, secrets)
  const reason = refuseStoredUrl(context, config)
  if (reason !== undefined) throw new AppError('unusable_endpoint', reason)
  return {
    endpointUrl: config.endpoint_url,
    method: config.request_method,
    payloadType: config.payload_type,
    template: compileTemplate(config.payload_template),
    missingValues: config.missing_values,
    answerRules: isMailUrl(config.endpoint_url)
      ? NO_RULES
      : { successRule: readSuccessRule(config.success_rule), capturePath: config.capture_path },
    customHeaders,
    address: config.fills_address ? compileAddress(config.endpoint_url, customHeaders) : undefined,
    // A test requests a token of its own: a cached one would hide credentials that have stopped working.
    access: openAccess(config, secrets, false),
    ignored: {
      conditions: readConditions(config.conditions),
      sending_hours: readSendingHours(config.sending_hours),
    },
    // A stored template may be older than the rule that refuses them.
    misplaced: [
      ...(given.event === undefined ? findMisplaced(config) : []),
      ...(config.fills_address
        ? []
        : [config.endpoint_url, ...Object.values(customHeaders)].flatMap(findPlaceholders)),
    ],
    signingSecrets,
    signingKeys,
    ...aboutEvent(given.event, config.event_templates),
  }
}

/** An event beside the lead goes without conditions, hours and success rule, which are about leads (docs/product.md §3). */
function aboutEvent(event: ClientEvent | undefined, templates: unknown): Partial<TestSettings> {
  if (event === undefined) return {}
  return {
    event,
    template: createEventTemplates(templates)(event),
    answerRules: NO_RULES,
    ignored: { conditions: null, sending_hours: null },
  }
}

function refuseStoredUrl(context: ServerContext, config: WebhookConfigRow): string | undefined {
  const { endpoint_url: url, fills_address: isFilled } = config
  if (isMailUrl(url)) return refuseMailUrl(context, url)
  const reading = context.webhooks.guard.checkUrl(isFilled ? withoutPlaceholders(url) : url)
  return reading.ok ? undefined : reading.reason
}

function findMisplaced(config: WebhookConfigRow): string[] {
  const template = JSON.parse(config.payload_template) as unknown
  return findPlaceholderFaults({ ...config, payload_template: template }).misplaced
}

/** The parts of a draft that are judged as when it is saved to send. */
function pickTested(given: EndpointTest): WebhookConfigChange {
  return {
    is_active: true,
    endpoint_url: given.endpoint_url,
    custom_headers: given.custom_headers,
    payload_template: given.payload_template,
    ...(given.event_templates === undefined ? {} : { event_templates: given.event_templates }),
    authentication: given.authentication,
    ca_certificate: given.ca_certificate,
    client_certificate: given.client_certificate,
    client_key: given.client_key,
  }
}
