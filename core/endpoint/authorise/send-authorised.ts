import type { EndpointAccess } from '../endpoint-access.ts'
import type { ExchangeClock, SendResult } from '../exchange-once.ts'
import { basicHeader, TokenError } from './fetch-token.ts'
import { isOurs } from '../own-shortage.ts'
import type { WebhookRequest } from '../prepare-request.ts'
import type { Token, TokenSource } from './token-source.ts'

/** The result of an exchange, and the request as it was sent, with its `authorization` header. */
export type AuthorisedResult = SendResult & { request: WebhookRequest }

/**
 * Sends a request with the header that its endpoint asks for. If the answer to a kept access token is a 401, nothing
 * was done with the request. So the token is replaced and the request is sent once more, in the same attempt and the
 * same time (docs/decisions/0014-authentication-to-endpoints.md).
 */
export async function sendAuthorised(
  request: WebhookRequest,
  { access, client }: { access: EndpointAccess; client: string },
  clock: ExchangeClock,
  tokens: TokenSource,
  exchange: (request: WebhookRequest) => Promise<SendResult>,
): Promise<AuthorisedResult> {
  const { authentication, keptAs } = access
  const send = async (header: string | undefined): Promise<AuthorisedResult> => {
    const headers = header === undefined ? request.headers : { ...request.headers, authorization: header }
    const sent = { ...request, headers }
    return { ...(await exchange(sent)), request: sent }
  }
  if (authentication.type === 'none') return await send(undefined)
  if (authentication.type === 'basic') {
    return await send(basicHeader(authentication.username, authentication.password))
  }
  if (authentication.type === 'bearer') return await send(`Bearer ${authentication.token}`)

  let refused: AuthorisedResult | undefined
  try {
    const first = await readInTime(tokens.read(authentication, keptAs, client), clock)
    const result = await send(`Bearer ${first.value}`)
    if (!isUnauthorised(result)) return result
    tokens.drop(keptAs, first.value)
    if (!first.wasKept) return result
    refused = result
    const second = await readInTime(tokens.read(authentication, keptAs, client), clock)
    if (second.value === first.value) return result
    const again = await send(`Bearer ${second.value}`)
    if (isOurs(again.exchange)) return result
    if (isUnauthorised(again)) tokens.drop(keptAs, second.value)
    return again
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    // The endpoint has had the request, and its answer tells more than the failure to get another token.
    return refused ?? { ...failWithoutToken(error, clock), request }
  }
}

function isUnauthorised({ exchange }: SendResult): boolean {
  return exchange.kind === 'answer' && exchange.status === 401
}

/** The exchange's own clock limits it: a token that comes too late is of no use to this attempt. */
async function readInTime(token: Promise<Token>, { startedAt, timeoutMs }: ExchangeClock): Promise<Token> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        reject(new TokenError('The token address did not answer in time.'))
      },
      timeoutMs - (performance.now() - startedAt),
    )
  })
  try {
    return await Promise.race([token, late])
  } finally {
    clearTimeout(timer)
  }
}

function failWithoutToken(error: TokenError, { startedAt }: ExchangeClock): SendResult {
  return {
    exchange: { kind: 'failure', errorClass: error.errorClass, detail: error.message },
    body: null,
    bodyTruncated: false,
    timing: { connect_ms: null, headers_ms: null, total_ms: Math.round(performance.now() - startedAt) },
    remoteAddress: null,
  }
}
