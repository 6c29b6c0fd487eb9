import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { FLOW_SECONDS } from '../auth-policy.ts'
import { readCookies } from '#server/identity/read-cookies.ts'
import { hostPrefix, setCookie } from '../wire/set-cookie.ts'
import { hashState } from './begin-oauth.ts'

/** Sign-ins that one browser may have in progress at once, in as many tabs; the oldest is dropped. */
const MOST_FLOWS = 8
const GONE = { value: '', seconds: 0, site: 'Lax' } as const

/** The secret that a browser must show when its sign-in ends, and the hash that the flow stores. */
export function mintBrowserSecret(): { secret: string; browser_hash: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, browser_hash: hashSecret(secret) }
}

/**
 * Gives the browser that begins a sign-in a cookie for this one flow. SameSite=Lax is enough: the provider
 * sends the person back by a navigation.
 */
export function bindToBrowser(
  context: Pick<AuthContext, 'config'>,
  { request, response }: { request: Request; response: Response },
  { state, secret }: { state: string; secret: string },
): void {
  const earlier = readCookies(request).filter(({ name }) => name.startsWith(prefixOf(context)))
  const surplus = earlier.slice(0, Math.max(0, earlier.length - (MOST_FLOWS - 1)))
  for (const { name } of surplus) setCookie(context, response, { name, ...GONE })
  const name = nameOf(context, state)
  setCookie(context, response, { name, value: secret, seconds: FLOW_SECONDS, site: 'Lax' })
}

/** Takes the flow's cookie from the browser. @returns its secret; undefined if it sent none */
export function takeBrowserSecret(
  context: Pick<AuthContext, 'config'>,
  { request, response }: { request: Request; response: Response },
  state: string,
): string | undefined {
  const name = nameOf(context, state)
  const found = readCookies(request).find((cookie) => cookie.name === name)
  if (found !== undefined) setCookie(context, response, { name, ...GONE })
  return found?.value
}

/**
 * Whether the caller is a browser. Every current browser says so at secure addresses (Fetch Metadata), and at
 * others by asking for a secure one (Upgrade-Insecure-Requests). An attacker who makes a browser come here
 * cannot remove these headers. Node's fetch sends a Sec-Fetch-Mode too.
 */
export function isBrowser(request: Request): boolean {
  if (request.get('Sec-Fetch-Mode') === 'navigate') return true
  return ['Sec-Fetch-Site', 'Sec-Fetch-Dest', 'Upgrade-Insecure-Requests'].some(
    (name) => request.get(name) !== undefined,
  )
}

/** Whether the secret matches the hash that the flow stores. */
export function isSameBrowser(secret: string | undefined, browserHash: Buffer): boolean {
  return secret !== undefined && timingSafeEqual(hashSecret(secret), browserHash)
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function prefixOf(context: Pick<AuthContext, 'config'>): string {
  return `${hostPrefix(context)}leadwire_flow_`
}

function nameOf(context: Pick<AuthContext, 'config'>, state: string): string {
  return prefixOf(context) + hashState(state).toString('hex').slice(0, 16)
}
