import { randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '#core/contract/problem.ts'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import {
  endpointTestSchema,
  type EndpointTest,
  type WebhookConfigChange,
} from '#core/contract/webhooks/webhook-config.ts'
import { endFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { findSigningSecrets } from '#core/data/webhooks/signing-secrets.ts'
import { findWebhookConfig, type WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { NO_RULES, showBody } from '#core/domain/webhooks/answer/judge-body.ts'
import { answerOf, readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { isMailUrl } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { withoutPlaceholders } from '#core/domain/webhooks/template/check-address.ts'
import { compileTemplate } from '#core/domain/webhooks/template/compile-template.ts'
import { compileAddress } from '#core/domain/webhooks/template/fill-address.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import {
  findPlaceholderFaults,
  findPlaceholders,
} from '#core/domain/webhooks/template/misplaced-placeholders.ts'
import { AppError } from '#core/errors.ts'
import { readConditions, readSendingHours, readSuccessRule } from '#core/data/webhooks/sending-configs.ts'
import { openAccess, openHeaders } from '#core/secrets/open-credentials.ts'
import type { EndpointAccess } from '#core/endpoint/endpoint-access.ts'
import { openSigningKey, takeSigningKeys } from '#core/secrets/signing-keys.ts'
import { prepareRequest, type RequestSettings } from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { describeTooMany } from '../http/rate-limits.ts'
import { readInput } from '../http/read-input.ts'
import { isOwn } from '../market/own-member.ts'
import { refuseMailUrl } from './configs/check-mail-endpoint.ts'
import { checkWebhookConfig } from './configs/check-webhook-config.ts'
import { requireProvenAddress } from './configs/require-proven-address.ts'
import { describeFailure, describeSuccess, type Ignored } from './describe-endpoint-test.ts'
import { requireReadableAuthentication } from './require-readable-authentication.ts'

export interface EndpointTested {
  result: EndpointTestResult
  /** set if the client has used up its tests for now */
  retryAfterSeconds?: number
}

/**
 * Sends the fixed test lead to an endpoint with the code that sends deliveries (docs/contract.md §5), and
 * writes no log. Every outcome that the client can act on is an answer, not an error.
 */
export async function testWebhookEndpoint(
  context: ServerContext,
  caller: Principal,
  given: { body: unknown; bodyText: string },
): Promise<EndpointTested> {
  // Faulty tests count as well: certificates, keys and templates take milliseconds of the shared thread.
  const spent = await context.webhooks.testRates.spend('endpoint_test', caller.user_id)
  if (!spent.ok) {
    const { retry_after_seconds: retryAfterSeconds } = spent
    return { result: refused(describeTooMany('tests', retryAfterSeconds)), retryAfterSeconds }
  }
  const read = readInput(endpointTestSchema, given.body ?? {})
  if (!read.ok) return { result: refused(describeFault(read.errors) ?? 'The request is not valid') }
  try {
    const settings = await readSettings(context, caller, read.value, given.bodyText)
    if (settings === undefined) return { result: refused('Webhook not found') }
    await requireProvenAddress(context.db, caller, settings.endpointUrl)
    const result = await send(context, caller, withRules(settings))
    // The stored configuration was tested, and it works.
    const isStored = typeof read.value.webhookId === 'string' && read.value.endpoint_url === undefined
    if (result.success && isStored) await endFailures(context.db, read.value.webhookId ?? '')
    return { result }
  } catch (error) {
    // Faults that saving would refuse are results here.
    if (error instanceof AppError && error.status < 500)
      return { result: refused(describeFault(error.errors) ?? error.message) }
    throw error
  }
}

/**
 * `ignored`: its conditions or sending hours, which a test does not check. `misplaced`: placeholders that are
 * sent unfilled.
 */
type TestSettings = RequestSettings & { access: EndpointAccess; ignored: Ignored; misplaced: string[] }

async function readSettings(
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
          secrets.open(secret),
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
    return {
      endpointUrl,
      method: given.request_method ?? given.http_method ?? 'POST',
      payloadType: given.payload_type,
      template: compileTemplate(checked.fields.payload_template ?? JSON.stringify(template)),
      missingValues: given.missing_values,
      answerRules: { successRule: given.success_rule, capturePath: given.capture_path },
      customHeaders: checked.customHeaders,
      address: compileAddress(endpointUrl, checked.customHeaders),
      access: checked.access,
      ignored: given,
      misplaced: [],
      signingSecrets,
      signingKeys,
    }
  }
  if (config === undefined) return undefined
  requireReadableAuthentication(config, secrets)
  const customHeaders = openHeaders(config.custom_headers, secrets)
  const reason = refuseStoredUrl(context, config)
  if (reason !== undefined) throw new AppError('unusable_endpoint', reason)
  return {
    endpointUrl: config.endpoint_url,
    method: config.request_method,
    payloadType: config.payload_type,
    template: compileTemplate(config.payload_template),
    missingValues: config.missing_values,
    answerRules: { successRule: readSuccessRule(config.success_rule), capturePath: config.capture_path },
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
      ...findPlaceholderFaults({
        ...config,
        payload_template: JSON.parse(config.payload_template) as unknown,
      }).misplaced,
      ...(config.fills_address
        ? []
        : [config.endpoint_url, ...Object.values(customHeaders)].flatMap(findPlaceholders)),
    ],
    signingSecrets,
    signingKeys,
  }
}

function refuseStoredUrl(context: ServerContext, config: WebhookConfigRow): string | undefined {
  const { endpoint_url: url, fills_address: isFilled } = config
  if (isMailUrl(url)) return refuseMailUrl(context, url)
  const reading = context.webhooks.guard.checkUrl(isFilled ? withoutPlaceholders(url) : url)
  return reading.ok ? undefined : reading.reason
}

/** A mail server's words are not read by the client's rules. */
function withRules(settings: TestSettings): TestSettings {
  return isMailUrl(settings.endpointUrl) ? { ...settings, answerRules: NO_RULES } : settings
}

async function send(
  context: ServerContext,
  caller: Principal,
  settings: TestSettings,
): Promise<EndpointTestResult> {
  const now = new Date()
  const request = prepareRequest(
    settings,
    { event: 'test', eventId: randomUUIDv7(), deliveryId: randomUUIDv7(), attempt: 1, sentAt: now },
    sampleValues('test', now, context.config.http.apiUrl),
    context.config.http.publicUrl,
  )
  const sent = await context.webhooks.transport.send(request, {
    client: caller.user_id,
    access: settings.access,
  })
  const verdict = readAnswer(sent.exchange, new Date(), {
    ...settings.answerRules,
    ...sent,
    asked: request.url,
  })
  const status = answerOf(sent.exchange)?.status ?? null
  const answered = {
    response_status: status,
    duration_ms: sent.timing.total_ms,
    response_body: showBody(sent),
    outcome: verdict.outcome ?? null,
    receiver_id: verdict.state === 'delivered' ? verdict.receiverId : null,
  }
  if (verdict.state === 'delivered')
    return {
      success: true,
      message: describeSuccess(status, verdict, settings, sent),
      error: null,
      ...answered,
    }
  // A test switches nothing off.
  const message = verdict.disable === undefined ? describeFailure(verdict, settings, sent) : GONE
  return { success: false, message, error: message, ...answered }
}

const GONE =
  '410: your endpoint says it is gone. A lead that is answered so switches its webhook off. Put the new address in Endpoint URL if its answer does not say why.'

/** The parts of a draft that are judged as when it is saved to send. */
function pickTested(given: EndpointTest): WebhookConfigChange {
  return {
    is_active: true,
    endpoint_url: given.endpoint_url,
    custom_headers: given.custom_headers,
    payload_template: given.payload_template,
    authentication: given.authentication,
    ca_certificate: given.ca_certificate,
    client_certificate: given.client_certificate,
    client_key: given.client_key,
  }
}

/** The first fault, with the name of its header: `Authorization: Enter the value again …`. */
function describeFault([first]: readonly FieldError[]): string | undefined {
  if (first === undefined) return undefined
  const [, ...part] = first.path.split('.')
  return part.length === 0 ? first.message : `${part.join('.')}: ${first.message}`
}

function refused(reason: string): EndpointTestResult {
  return {
    success: false,
    message: reason,
    error: reason,
    response_status: null,
    duration_ms: null,
    response_body: null,
    outcome: null,
    receiver_id: null,
  }
}
