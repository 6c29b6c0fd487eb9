import { randomUUIDv7 } from 'node:crypto'
import type { EndpointTestResult } from '#core/contract/delivery.ts'
import { endpointTestSchema, type EndpointTest } from '#core/contract/webhook-config.ts'
import { findSigningSecrets, findWebhookConfig } from '#core/data/webhook-configs.ts'
import { readAnswer } from '#core/domain/read-answer.ts'
import { compileTemplate } from '#core/domain/render-template.ts'
import { sampleValues } from '#core/domain/sample-lead.ts'
import { AppError } from '#core/errors.ts'
import { prepareRequest, type RequestSettings } from '#core/webhook/prepare-request.ts'
import { createSigningSecret } from '#core/webhook/sign.ts'
import type { Principal } from '../authenticate.ts'
import type { ServerContext } from '../context.ts'
import { createRateLimit } from '../limit-rate.ts'
import { checkWebhookConfig } from '../use-cases/check-webhook-config.ts'
import { openHeaders } from '../use-cases/describe-webhook-config.ts'

const mayTest = createRateLimit(30, 60_000)

/**
 * Sends the fixed test lead to an endpoint by the same code that sends deliveries (CONTRACT.md §5), and writes no log.
 * Every outcome that the client can act on is an answer, not an error.
 */
export async function testWebhookEndpoint(
  context: ServerContext,
  caller: Principal,
  given: { body: unknown; bodyText: string },
): Promise<EndpointTestResult> {
  const parsed = endpointTestSchema.safeParse(given.body ?? {})
  if (!parsed.success) return refused(parsed.error.issues[0]?.message ?? 'The request is not valid')
  try {
    const settings = await readSettings(context, caller, parsed.data, given.bodyText)
    if (settings === undefined) return refused('Webhook not found')
    // Only what leaves the house counts: whoever corrects a refused form may go on at once.
    return mayTest(caller.user_id, Date.now())
      ? await send(context, settings)
      : refused('Too many tests. Please wait a minute and try again.')
  } catch (error) {
    // What would be refused at save is a result here.
    if (error instanceof AppError && error.status < 500)
      return refused(error.errors[0]?.message ?? error.message)
    throw error
  }
}

async function readSettings(
  context: ServerContext,
  caller: Principal,
  given: EndpointTest,
  bodyText: string,
): Promise<RequestSettings | undefined> {
  const { db, secrets } = context
  const saved = typeof given.webhookId === 'string' ? given.webhookId : undefined
  const sealed = saved === undefined ? undefined : await findSigningSecrets(db, caller.user_id, saved)
  if (saved !== undefined && sealed === undefined) return undefined
  // An endpoint that is not saved has no secret yet: a throw-away one keeps the request's form.
  const signingSecrets = sealed?.map((secret) => secrets.open(secret)) ?? [createSigningSecret()]
  if (given.endpoint_url !== undefined) {
    const { endpoint_url: endpointUrl, custom_headers: customHeaders, payload_template: template } = given
    const checked = checkWebhookConfig(
      context,
      { endpoint_url: endpointUrl, custom_headers: customHeaders, payload_template: template },
      bodyText,
    )
    return {
      endpointUrl,
      method: given.request_method ?? given.http_method ?? 'POST',
      payloadType: given.payload_type,
      template: compileTemplate(checked.payload_template ?? JSON.stringify(template)),
      customHeaders,
      signingSecrets,
    }
  }
  const config = saved === undefined ? undefined : await findWebhookConfig(db, caller.user_id, saved)
  if (config === undefined) return undefined
  const url = context.guard.checkUrl(config.endpoint_url)
  if (!url.ok) throw new AppError('unusable_endpoint', url.reason)
  return {
    endpointUrl: config.endpoint_url,
    method: config.request_method,
    payloadType: config.payload_type,
    template: compileTemplate(config.payload_template),
    customHeaders: openHeaders(config.custom_headers, secrets),
    signingSecrets,
  }
}

async function send(context: ServerContext, settings: RequestSettings): Promise<EndpointTestResult> {
  const now = new Date()
  const request = prepareRequest(
    settings,
    { event: 'test', eventId: randomUUIDv7(), deliveryId: randomUUIDv7(), attempt: 1, sentAt: now },
    sampleValues('test', now),
    context.config.http.publicUrl,
  )
  const sent = await context.transport.send(request)
  const verdict = readAnswer(sent.exchange, new Date())
  const status = sent.exchange.kind === 'answer' ? sent.exchange.status : null
  const answered = { response_status: status, duration_ms: sent.timing.total_ms, response_body: sent.body }
  return verdict.outcome === 'delivered'
    ? { success: true, message: describeSuccess(status, settings), error: null, ...answered }
    : { success: false, message: verdict.message, error: verdict.message, ...answered }
}

/** A template with unknown placeholders is sent, and the test names them. */
function describeSuccess(status: number | null, { template }: RequestSettings): string {
  const unknown = template.unknownPlaceholders.map((name) => `{{${name}}}`).join(', ')
  const sent = `Your endpoint answered ${status ?? ''}.`
  return unknown === '' ? sent : `${sent} Unknown placeholders were sent empty: ${unknown}.`
}

function refused(reason: string): EndpointTestResult {
  return {
    success: false,
    message: reason,
    error: reason,
    response_status: null,
    duration_ms: null,
    response_body: null,
  }
}
