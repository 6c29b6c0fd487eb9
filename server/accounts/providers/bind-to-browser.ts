import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { FLOW_SECONDS } from '../auth-policy.ts'
import { hashState } from './begin-oauth.ts'

/** Sign-ins that one browser may have in progress at once, in as many tabs; the oldest is dropped. */
const MOST_FLOWS = 8

/** The secret that a browser must show when its sign-in ends, and the hash that the flow stores. */
export function mintBrowserSecret(): { secret: string; browser_hash: Buffer } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, browser_hash: hashSecret(secret) }
}

/**
 * Gives the browser that begins a sign-in a cookie for this one flow. SameSite=Lax is enough: the provider
 * sends the person back by a navigation. `__Host-` keeps neighbouring subdomains from setting one.
 */
export function bindToBrowser(
  context: Pick<AuthContext, 'config'>,
  { request, response }: { request: Request; response: Response },
  { state, secret }: { state: string; secret: string },
): void {
  // Browsers send the oldest cookie first (RFC 6265 §5.4).
  const earlier = readCookies(request).filter(([name]) => name.startsWith(prefixOf(context)))
  const surplus = earlier.slice(0, Math.max(0, earlier.length - (MOST_FLOWS - 1)))
  for (const [name] of surplus) setCookie(context, response, name, { value: '', seconds: 0 })
  setCookie(context, response, nameOf(context, state), { value: secret, seconds: FLOW_SECONDS })
}

/** Takes the flow's cookie from the browser. @returns its secret; undefined if it sent none */
export function takeBrowserSecret(
  context: Pick<AuthContext, 'config'>,
  { request, response }: { request: Request; response: Response },
  state: string,
): string | undefined {
  const name = nameOf(context, state)
  const found = readCookies(request).find(([given]) => given === name)
  if (found !== undefined) setCookie(context, response, name, { value: '', seconds: 0 })
  return found?.[1]
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

/** Decided by the address at which a sign-in begins and ends. */
function isSecure({ config }: Pick<AuthContext, 'config'>): boolean {
  return config.http.apiUrl.startsWith('https:')
}

function prefixOf(context: Pick<AuthContext, 'config'>): string {
  return `${isSecure(context) ? '__Host-' : ''}leadwire_flow_`
}

function nameOf(context: Pick<AuthContext, 'config'>, state: string): string {
  return prefixOf(context) + hashState(state).toString('hex').slice(0, 16)
}

function setCookie(
  context: Pick<AuthContext, 'config'>,
  response: Response,
  name: string,
  { value, seconds }: { value: string; seconds: number },
): void {
  const secure = isSecure(context) ? '; Secure' : ''
  response.append(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}

function readCookies(request: Request): [name: string, value: string][] {
  return (request.get('Cookie') ?? '').split(';').map((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2)
    return [name, value]
  })
}
