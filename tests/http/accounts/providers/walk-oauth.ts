import type { AuthServer } from '../wire/start-auth-server.ts'
import type { OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'

/** The page where the user's browser ends, and the parameters of its address. */
export interface Landing {
  url: URL
  query: URLSearchParams
  fragment: URLSearchParams
}

/** Follows the service's redirect once. */
export async function follow(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`no redirect but ${response.status}: ${await response.text()}`)
  return location
}

export function readLanding(address: string): Landing {
  const url = new URL(address)
  return { url, query: url.searchParams, fragment: new URLSearchParams(url.hash.slice(1)) }
}

/** Walks from the client's URL to the last page. */
export async function walkOAuth(issuer: OidcIssuer, authorizeUrl: string): Promise<Landing> {
  return await walkFromIssuer(issuer, await follow(authorizeUrl))
}

/** Like walkOAuth, from the issuer's page to which the client library's request led. */
export async function walkFromIssuer(issuer: OidcIssuer, url: string): Promise<Landing> {
  return readLanding(await follow(await issuer.walk(url)))
}

/** The URL at which a sign-in begins, as a page without the client library builds it. */
export function authorizeUrl(server: AuthServer, query: Record<string, string> = {}): string {
  return `${server.url}/authorize?${new URLSearchParams({ provider: 'acme', ...query }).toString()}`
}

/** Begins a sign-in as a page with the client library does; returns the client and the URL for the user. */
export async function beginOAuth(
  server: AuthServer,
  { flowType = 'pkce', redirectTo }: { flowType?: 'implicit' | 'pkce' | undefined; redirectTo: string },
) {
  const client = server.newClient(flowType)
  const { data, error } = await client.signInWithOAuth({
    provider: 'acme' as 'google',
    options: { redirectTo, skipBrowserRedirect: true },
  })
  if (error !== null) throw error
  return { client, url: data.url }
}
