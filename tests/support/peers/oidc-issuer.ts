import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT_ID = 'leadwire'
export const CLIENT_SECRET = 'a secret between the issuer and its client'

/** The issuer's claims about a person. */
export interface IssuerPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** A real OpenID issuer in memory, whose user agrees to everything. */
export interface OidcIssuer {
  url: string
  /** Call it before any other request: the client's URL is known only when both servers listen. */
  register: (callbackUrl: string) => void
  /** the user at the browser; `undefined` refuses */
  person: IssuerPerson | undefined
  /** Walks from the service's redirect to the URL that the issuer returns the user to. */
  walk: (authorizationUrl: string) => Promise<string>
  /** Signs an id token with the issuer's key, as an app on a phone receives it. */
  signIdToken: (claims: Record<string, unknown>, key?: CryptoKey) => Promise<string>
  close: () => Promise<void>
}

export async function startOidcIssuer(): Promise<OidcIssuer> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'issuer-key', alg: 'RS256', use: 'sig' }
  let serve: RequestListener = (_request, response) => response.writeHead(503).end()
  const http = createServer((request, response) => serve(request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const issuer: OidcIssuer = {
    url,
    person: undefined,
    register: (callbackUrl) => {
      serve = serveIssuer(issuer, jwk, callbackUrl)
    },
    walk: (authorizationUrl) => walk(authorizationUrl, url),
    signIdToken: (claims, key = privateKey) =>
      new SignJWT({ iss: url, aud: CLIENT_ID, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'issuer-key' })
        .setIssuedAt()
        .setExpirationTime((claims['exp'] as number | undefined) ?? '5 minutes')
        .sign(key),
    close: async () => {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return issuer
}

function serveIssuer(issuer: OidcIssuer, jwk: JWK, callbackUrl: string): RequestListener {
  const provider = new Provider(issuer.url, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [callbackUrl],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['only for tests'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...issuer.person, sub }) }),
  })
  const answer = provider.callback()
  const agree = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { person } = issuer
    if (person === undefined) {
      const denial = { error: 'access_denied', error_description: 'The person said no' }
      await provider.interactionFinished(request, response, denial)
      return
    }
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: person.sub, clientId: CLIENT_ID })
    grant.addOIDCScope(String(params['scope']))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: person.sub }, consent })
  }
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) void answer(request, response)
    else agree(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
}

/** Follows redirects, with the cookies of this sign-in, until they leave the issuer. */
async function walk(from: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let at = from
  for (let steps = 0; steps < 10 && at.startsWith(issuer); steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the issuer answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at).href
  }
  return at
}
