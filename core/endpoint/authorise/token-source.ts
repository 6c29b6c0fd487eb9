import { LRUCache } from 'lru-cache'
import type { OAuth2Client } from '../../contract/webhooks/authentication.ts'
import { fetchToken, type FetchedToken, type TokenRoute } from './fetch-token.ts'

const KEPT_TOKENS = 5000
/** A token is renewed this long before its end (or after half its life, if that is sooner): requests take time too. */
const MARGIN_SECONDS = 60
/** A token older than a day has most likely been revoked. */
const MAX_KEPT_SECONDS = 24 * 3600

/** `wasKept`: it was fetched for an earlier request, so it may have been revoked meanwhile. */
export interface Token {
  value: string
  wasKept: boolean
}

/** Access tokens, each kept under one configuration's name until shortly before it ends. */
export interface TokenSource {
  /**
   * Calls that come while a token is being fetched wait for that one.
   * @param owner the owner of the webhook
   * @throws TokenError
   */
  read: (client: OAuth2Client, keptAs: string | null, owner: string) => Promise<Token>
  /** Forgets a token that an endpoint has refused; a newer one stays. */
  drop: (keptAs: string | null, value: string) => void
}

/** @param now a clock in milliseconds that never goes back */
export function createTokenSource(route: TokenRoute, now = (): number => performance.now()): TokenSource {
  const clock = { perf: { now } }
  const kept = new LRUCache<string, string, { client: OAuth2Client; owner: string }>({
    max: KEPT_TOKENS,
    ttlResolution: 0,
    ...clock,
    // All callers that wait for a token get it, even if so many others came meanwhile that it is not kept.
    ignoreFetchAbort: true,
    fetchMethod: async (_name, _stale, { context: { client, owner }, options }) => {
      const token = await fetchToken(client, owner, route)
      options.ttl = usableMs(token)
      return token.value
    },
  })

  return {
    read: async (client, keptAs, owner) => {
      if (keptAs === null) return { value: (await fetchToken(client, owner, route)).value, wasKept: false }
      // The cache sets this; only a hit says that the token was there before.
      const status: { fetch?: 'hit' } = {}
      const value = await kept.forceFetch(keptAs, { context: { client, owner }, status })
      return { value, wasKept: status.fetch === 'hit' }
    },
    drop: (keptAs, value) => {
      if (keptAs !== null && kept.peek(keptAs) === value) kept.delete(keptAs)
    },
  }
}

function usableMs({ lifetimeSeconds }: FetchedToken): number {
  const margin = Math.min(MARGIN_SECONDS, lifetimeSeconds / 2)
  // 0 would mean for ever.
  return Math.max(1, Math.min(lifetimeSeconds - margin, MAX_KEPT_SECONDS) * 1000)
}
