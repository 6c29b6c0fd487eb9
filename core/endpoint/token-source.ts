import type { OAuth2Client } from '../contract/webhooks/authentication.ts'
import { fetchToken, type FetchedToken, type TokenRoute } from './fetch-token.ts'

const KEPT_TOKENS = 5000
/** A token is renewed this long before its end (or after half its life, where that is sooner): requests take time too. */
const MARGIN_SECONDS = 60
/** What is kept longer than a day has most likely been revoked. */
const MAX_KEPT_SECONDS = 24 * 3600

/** `wasKept`: it was fetched for an earlier request, so it may have been revoked meanwhile. */
export interface Token {
  value: string
  wasKept: boolean
}

/** Access tokens, each kept under one configuration's name until shortly before it ends. */
export interface TokenSource {
  /** Whoever asks while a token is being fetched waits for that one. @throws TokenError */
  read: (client: OAuth2Client, keptAs: string | null) => Promise<Token>
  /** Forgets a token that an endpoint has refused; a newer one stays. */
  drop: (keptAs: string | null, value: string) => void
}

/** @param now a clock in milliseconds that never goes back */
export function createTokenSource(route: TokenRoute, now = (): number => performance.now()): TokenSource {
  const kept = new Map<string, { value: string; usableUntil: number }>()
  const underWay = new Map<string, Promise<Token>>()

  const fetchAndKeep = async (client: OAuth2Client, keptAs: string): Promise<Token> => {
    const token = await fetchToken(client, route)
    const oldest = kept.size >= KEPT_TOKENS ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(keptAs, { value: token.value, usableUntil: now() + usableMs(token) })
    return { value: token.value, wasKept: false }
  }

  return {
    read: async (client, keptAs) => {
      if (keptAs === null) return { value: (await fetchToken(client, route)).value, wasKept: false }
      const known = kept.get(keptAs)
      if (known !== undefined && known.usableUntil > now()) return { value: known.value, wasKept: true }
      const flight =
        underWay.get(keptAs) ??
        fetchAndKeep(client, keptAs).finally(() => {
          underWay.delete(keptAs)
        })
      underWay.set(keptAs, flight)
      return await flight
    },
    drop: (keptAs, value) => {
      if (keptAs !== null && kept.get(keptAs)?.value === value) kept.delete(keptAs)
    },
  }
}

function usableMs({ lifetimeSeconds }: FetchedToken): number {
  const margin = Math.min(MARGIN_SECONDS, lifetimeSeconds / 2)
  return Math.min(lifetimeSeconds - margin, MAX_KEPT_SECONDS) * 1000
}
