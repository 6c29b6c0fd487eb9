import { generateKeyPairSync, randomUUIDv7 } from 'node:crypto'
import { CHALLENGE_PATH } from '#core/contract/webhooks/certification.ts'
import { outcomeUrl } from '#core/domain/leads/outcome-url.ts'
import { SAMPLE_LEAD, SAMPLE_OUTCOME_TOKEN } from '#core/domain/leads/sample-lead.ts'
import { leadValues } from '#core/domain/leads/lead-values.ts'
import { LARGEST_PAYLOAD } from '#core/domain/webhooks/template/payload-size.ts'
import {
  prepareRequest,
  signBody,
  type RequestSettings,
  type WebhookRequest,
} from '#core/endpoint/prepare-request.ts'
import { createSigningSecret } from '#core/endpoint/sign.ts'

/** A message of a run: repeats have its ids. */
export interface Message {
  id: string
  deliveryId: string
  leadId: string
  receivedAt: Date
}

/** The differences of a request from an ordinary one. */
export interface Variation {
  /** of the same message, from 1 */
  attempt?: number
  /** whether only a secret and key that its receiver does not know sign it, or these and then its own; its own alone if not given */
  signedBy?: 'a stranger' | 'a stranger first'
  /** it is as large as a payload may be */
  isLarge?: boolean
  /** the nonce that its receiver is asked to answer with */
  nonce?: string
}

/** The webhook of a run. */
export interface RunSettings {
  settings: RequestSettings
  client: string
  publicUrl: string
  /** the address of the API, for `{{outcome_url}}` */
  apiUrl: string
  /** whether its template has `{{is_test}}`; without it, only the event `test` tells a receiver what it gets */
  marksTests: boolean
}

/** @param secondsAgo when its lead came in */
export function newMessage(secondsAgo = 0): Message {
  return {
    id: randomUUIDv7(),
    deliveryId: randomUUIDv7(),
    leadId: randomUUIDv7(),
    receivedAt: new Date(Date.now() - secondsAgo * 1000),
  }
}

/** A request for the fictional lead of tests, as a delivery's would be. */
export function buildRequest(
  { settings, client, publicUrl, apiUrl, marksTests }: RunSettings,
  message: Message,
  { attempt = 1, signedBy, isLarge = false, nonce }: Variation = {},
): WebhookRequest {
  const sentAt = new Date()
  const event = marksTests ? 'lead.assigned' : 'test'
  const at = message.receivedAt.toISOString()
  const lead = { ...SAMPLE_LEAD, id: message.leadId, created_at: at, assigned_at: at }
  const { deliveryId } = message
  const values = leadValues(lead, {
    event,
    deliveryId,
    clientId: client,
    sentAt,
    outcomeUrl: () => outcomeUrl(apiUrl, SAMPLE_OUTCOME_TOKEN),
  })
  const identity = { event, eventId: message.id, deliveryId, attempt, sentAt } as const
  const signed = signedBy === undefined ? settings : { ...settings, ...chooseSigners(settings, signedBy) }
  const request = prepareRequest(signed, identity, values, publicUrl)
  const headers = {
    ...request.headers,
    ...(nonce === undefined ? {} : { 'leadwire-challenge': nonce }),
  }
  if (!isLarge) return { ...request, headers }
  const body = enlarge(request.body, settings.payloadType === 'FORM')
  const timestamp = Math.floor(sentAt.getTime() / 1000)
  const signature = signBody(signed, message.id, timestamp, body)
  return { ...request, body, headers: { ...headers, 'webhook-signature': signature } }
}

/** A webhook that is signed with Ed25519 as well has a stranger's key as well. */
function chooseSigners(
  { signingSecrets, signingKeys = [] }: RequestSettings,
  signedBy: NonNullable<Variation['signedBy']>,
): Pick<RequestSettings, 'signingSecrets' | 'signingKeys'> {
  const strange = signingKeys.slice(0, 1).map(() => generateKeyPairSync('ed25519').privateKey)
  const isAlone = signedBy === 'a stranger'
  return {
    signingSecrets: [createSigningSecret(), ...(isAlone ? [] : signingSecrets)],
    signingKeys: [...strange, ...(isAlone ? [] : signingKeys)],
  }
}

/** Spaces after the JSON mean nothing; a form gets a field of them. */
function enlarge(body: string, isForm: boolean): string {
  const free = LARGEST_PAYLOAD - Buffer.byteLength(body)
  if (free <= 0) return body
  const begin = isForm ? '&padding=' : '\n'
  return body + begin + (isForm ? '+' : ' ').repeat(Math.max(0, free - begin.length))
}

/**
 * Asks for the challenge of the endpoint's host, with the webhook's own headers, except those that have the challenge: a
 * service that answers with a header would repeat it.
 */
export function buildChallengeRequest(run: RunSettings, challenge: string): WebhookRequest {
  const { url, headers } = buildRequest(run, newMessage())
  const kept = Object.entries(headers).filter(
    ([name, value]) => !/^(content-type|webhook-.*|leadwire-.*)$/i.test(name) && !value.includes(challenge),
  )
  return {
    url: new URL(CHALLENGE_PATH, url).href,
    method: 'GET',
    headers: Object.fromEntries(kept),
    body: '',
  }
}
