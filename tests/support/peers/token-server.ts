import type { ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

/** A token endpoint that gives out `token-1`, `token-2`, … and counts them. */
export interface TokenServer extends Receiver {
  /** lifetime of its next tokens; undefined leaves `expires_in` out */
  lifetimeSeconds: number | undefined
  given: () => number
}

export async function startTokenServer(): Promise<TokenServer> {
  const receiver = await startReceiver()
  const server: TokenServer = { ...receiver, lifetimeSeconds: 3600, given: () => receiver.requests.length }
  receiver.answerWith((_request, index) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      access_token: `token-${index + 1}`,
      token_type: 'Bearer',
      expires_in: server.lifetimeSeconds,
    }),
    // Long enough that all concurrent callers share the one request in flight.
    delayMs: 20,
  }))
  return server
}

/** Returns the token of a request. */
export function bearerOf({ headers }: ReceivedRequest): string | undefined {
  return headers.authorization?.replace(/^Bearer /, '')
}
