import { randomUUIDv7 } from 'node:crypto'
import type { FieldError } from '#core/contract/problem.ts'
import type { EndpointTestResult } from '#core/contract/webhooks/delivery.ts'
import { endpointTestSchema } from '#core/contract/webhooks/webhook-config.ts'
import { endFailures } from '#core/data/webhooks/health/read-endpoint-health.ts'
import { takeTestMail } from '#core/data/webhooks/by-mail/test-mails.ts'
import { mailAddressOf } from '#core/domain/webhooks/by-mail/mail-address.ts'
import { describeTestMailLimit, TEST_MAILS } from '#core/domain/webhooks/by-mail/test-mail-limits.ts'
import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { showBody } from '#core/domain/webhooks/answer/judge-body.ts'
import { answerOf, readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'
import { sampleEventValues } from '#core/endpoint/sample-event.ts'
import { AppError } from '#core/errors.ts'
import { prepareRequest } from '#core/endpoint/prepare-request.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { describeTooMany } from '../../http/rate-limits.ts'
import { readInput } from '../../http/read-input.ts'
import { requireMailable } from '../configs/check-mail-endpoint.ts'
import { requireProvenAddress } from '../configs/require-proven-address.ts'
import { describeFailure, describeSuccess } from './describe-endpoint-test.ts'
import { readTestSettings, type TestSettings } from './read-test-settings.ts'

export interface EndpointTested {
  result: EndpointTestResult
  /** set if the client has used up its tests for now */
  retryAfterSeconds?: number
}

/**
 * Sends the fixed test lead, or the example of an event beside the lead, to an endpoint with the code that sends
 * deliveries (docs/contract.md §5), and writes no log. Every outcome that the client can act on is an answer, not an
 * error.
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
    const settings = await readTestSettings(context, caller, read.value, given.bodyText)
    if (settings === undefined) return { result: refused('Webhook not found') }
    await requireProvenAddress(context.db, caller, settings.endpointUrl)
    requireMailable(settings.endpointUrl, settings.event)
    const address = mailAddressOf(settings.endpointUrl)
    const wait =
      address === undefined
        ? undefined
        : await takeTestMail(context.db, { client: caller.user_id, address }, TEST_MAILS)
    if (wait !== undefined) return { result: refused(describeTestMailLimit(wait)), retryAfterSeconds: wait }
    const result = await send(context, caller, settings)
    // The stored configuration was tested with a lead, and it works.
    const isStored =
      typeof read.value.webhookId === 'string' &&
      read.value.endpoint_url === undefined &&
      read.value.event === undefined
    if (result.success && isStored) await endFailures(context.db, read.value.webhookId ?? '')
    return { result }
  } catch (error) {
    // Faults that saving would refuse are results here.
    if (error instanceof AppError && error.status < 500)
      return { result: refused(describeFault(error.errors) ?? error.message) }
    throw error
  }
}

async function send(
  context: ServerContext,
  caller: Principal,
  settings: TestSettings,
): Promise<EndpointTestResult> {
  const now = new Date()
  const { apiUrl, publicUrl } = context.config.http
  const identity = { eventId: randomUUIDv7(), deliveryId: randomUUIDv7(), attempt: 1, sentAt: now }
  const values =
    settings.event === undefined
      ? sampleValues('test', now, apiUrl)
      : sampleEventValues(settings.event, identity)
  const request = prepareRequest(settings, { event: 'test', ...identity }, values, publicUrl)
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
  const message = describeFailure(verdict, settings, sent)
  return { success: false, message, error: message, ...answered }
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
