import { z } from 'zod'
import type { OAuth2Client } from '../../contract/webhooks/authentication.ts'
import type { ErrorClass } from '../../contract/webhooks/delivery.ts'
import { createHider } from '../../domain/webhooks/answer/hide-secrets.ts'
import type { ExchangeClock, SendResult } from '../exchange-once.ts'
import type { AddressGuard } from '../guard-address.ts'
import { isOurs } from '../own-shortage.ts'
import type { WebhookRequest } from '../prepare-request.ts'

/** RFC 6749 §5.1 leaves the lifetime open if `expires_in` is missing; if a token ends sooner, a 401 shows it. */
const ASSUMED_LIFETIME_SECONDS = 300

/** An access token, and for how many seconds from now it may be used. */
export interface FetchedToken {
  value: string
  lifetimeSeconds: number
}

/** No token could be fetched. The message is a sentence for the client; of the answer it quotes only an error code. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly errorClass: ErrorClass
  constructor(message: string, options: ErrorOptions & { errorClass?: ErrorClass } = {}) {
    super(message, options)
    this.errorClass = options.errorClass ?? 'authentication'
  }
}

const grantSchema = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
})
const refusalSchema = z.object({
  error: z.string().regex(/^[a-z_]{1,40}$/),
  error_description: z.string().optional().catch(undefined),
})

const NO_REFUSAL = { error: undefined, error_description: undefined }

/**
 * The way to a token address, with the same checks as for an endpoint
 * (docs/decisions/0023-one-guard-for-what-clients-name.md).
 */
export interface TokenRoute {
  guard: AddressGuard
  /** the whole request, in milliseconds */
  timeoutMs: number
  /**
   * @param client the owner of the webhook
   * @returns a failure in the words of explain-token-failure.ts
   */
  exchange: (client: string, request: WebhookRequest, clock: ExchangeClock) => Promise<SendResult>
}

/**
 * Asks for a token with the client credentials grant (RFC 6749 §4.4). Redirects are not followed, nothing is repeated.
 * @param owner the owner of the webhook
 * @throws TokenError
 */
export async function fetchToken(
  client: OAuth2Client,
  owner: string,
  route: TokenRoute,
): Promise<FetchedToken> {
  const url = route.guard.checkUrl(client.token_url)
  if (!url.ok) throw new TokenError(`Token URL: ${url.reason}`)
  const clock = { startedAt: performance.now(), timeoutMs: route.timeoutMs }
  const { exchange, body: text, bodyNote: note } = await route.exchange(owner, requestFor(client), clock)
  if (exchange.kind === 'failure')
    throw new TokenError(exchange.detail, isOurs(exchange) ? { errorClass: 'internal_error' } : {})
  const { status } = exchange
  const body = readJson(text ?? '')
  const isSuccess = status >= 200 && status < 300
  const grant = grantSchema.safeParse(body)
  if (!isSuccess || !grant.success) {
    const { error: refusal, error_description: said } = refusalSchema.safeParse(body).data ?? NO_REFUSAL
    // Zoho refuses with a 200.
    if (!isSuccess || refusal !== undefined)
      throw new TokenError(
        explainRefusal(status, refusal, quote(said ?? (refusal === undefined ? (text ?? '') : ''), client)),
      )
    const why = note === undefined ? '' : `: ${note}`
    throw new TokenError(`The token address answered ${status} but gave no access token${why}.`)
  }
  const { access_token: value, expires_in: lifetimeSeconds = ASSUMED_LIFETIME_SECONDS } = grant.data
  return { value, lifetimeSeconds }
}

function requestFor(client: OAuth2Client): WebhookRequest {
  const inHeader = client.credentials_in === 'header'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(client.scope === '' ? {} : { scope: client.scope }),
    ...(inHeader ? {} : { client_id: client.client_id, client_secret: client.client_secret }),
  })
  return {
    url: client.token_url,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Leadwire-Webhooks/1',
      ...(inHeader
        ? { authorization: basicHeader(encode(client.client_id), encode(client.client_secret)) }
        : {}),
    },
    body: form.toString(),
  }
}

/** The `Authorization` header of RFC 7617, in UTF-8. */
export function basicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they become user and password. */
function encode(value: string): string {
  return new URLSearchParams({ '': value }).toString().slice(1)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The words of a refusal: its description (RFC 6749 §5.2), or its whole text, without tags and the secret, on one line
 * and shortened. It is shown nowhere else.
 */
function quote(said: string, { client_secret: secret }: OAuth2Client): string {
  const words = said.replaceAll(/<(script|style)\b[^]*?<\/\1>|<[^<>]{0,500}>/gi, ' ')
  const line = createHider([secret])(words.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim())
  const [cut = ''] = /^.{1,300}/su.exec(line) ?? []
  return cut === '' ? '' : ` It says: “${cut}${cut.length < line.length ? '…' : ''}”.`
}

/** Providers use these codes for further reasons, so more is named than RFC 6749 §5.2 says. */
const ANY_OF_IT =
  'Check Token URL, Client ID, Client secret and Scope, and that this client may use the client credentials grant.'
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client: 'Check Client ID, Client secret and Send credentials in.',
  // Salesforce uses it for an unknown client, and for one without this grant.
  invalid_client_id: 'Check Client ID and Client secret.',
  access_denied: ANY_OF_IT,
  invalid_grant: ANY_OF_IT,
  // Microsoft uses it if no scope is sent.
  invalid_request: 'Check Token URL, Scope and Send credentials in.',
  invalid_scope: 'Check Scope.',
  unauthorized_client: ANY_OF_IT,
  unsupported_grant_type: 'It must support the client credentials grant.',
}

function explainRefusal(status: number, error: string | undefined, said: string): string {
  const answered = `The token address answered ${status}${error === undefined ? '' : `: ${error}`}.${said}`
  const advice = error !== undefined && Object.hasOwn(ADVICE, error) ? ADVICE[error] : undefined
  if (advice !== undefined) return `${answered} ${advice}`
  if (status < 300) return `${answered} It gave no access token.`
  if (status === 429) return `${answered} It asks for fewer requests.`
  if (error === undefined && (status === 401 || status === 403))
    return `${answered} Check Client ID and Client secret.`
  if (status >= 300 && status < 400) return `${answered} Redirects are not followed. Check Token URL.`
  if (status === 404 || status === 405 || status === 410) return `${answered} Check Token URL.`
  return status >= 500 ? `${answered} It reported an error of its own.` : `${answered} ${ANY_OF_IT}`
}
