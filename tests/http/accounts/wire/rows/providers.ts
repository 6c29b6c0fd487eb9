import { expect } from 'vitest'
import { someText } from '../expect-wire.ts'
import type { WireRow } from '../wire-row.ts'

const CHALLENGE = 'c'.repeat(43)
const SAML_OFF = { gets: 404, code: 'saml_provider_disabled', says: 'SAML 2.0 is disabled' }

export const providerRows: WireRow[] = [
  ...['', '?provider=', '?provider=myspace', '?provider=__proto__', '?provider=constructor'].map(
    (query): WireRow => ({
      name: 'refuses an unknown provider',
      call: `GET /authorize${query}`,
      gets: 400,
      code: 'validation_failed',
      says: /^Unsupported provider: /,
    }),
  ),
  {
    name: 'needs both members of PKCE',
    call: `GET /authorize?provider=google&code_challenge=${CHALLENGE}`,
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  {
    name: 'refuses a short challenge',
    call: 'GET /authorize?provider=google&code_challenge=short&code_challenge_method=s256',
    gets: 400,
    code: 'validation_failed',
    says: 'code challenge has to be between 43 and 128 characters',
  },
  ...(['GET', 'POST'] as const).flatMap((method): WireRow[] => [
    callback(method, '', 'bad_oauth_callback', 'OAuth state parameter missing'),
    callback(method, '?code=abc&state=', 'bad_oauth_callback', 'OAuth state parameter missing'),
    callback(method, '?code=abc&state=never-given', 'bad_oauth_state', /^OAuth state /),
  ]),
  {
    name: 'lists the methods that are on',
    call: 'GET /settings',
    gets: 200,
    shows: ({ body }) => {
      expect(body).toMatchObject({
        external: { google: true, email: true, phone: true, anonymous_users: true },
        disable_signup: false,
        mailer_autoconfirm: true,
        phone_autoconfirm: true,
        saml_enabled: false,
        captcha: null,
      })
    },
  },
  {
    name: 'lists the methods that are off',
    on: 'dark',
    call: 'GET /settings',
    gets: 200,
    shows: ({ body }) => {
      expect(body['external']).toMatchObject({ email: false, phone: false, anonymous_users: false })
    },
  },
  {
    name: 'returns its name and version',
    call: 'GET /health',
    gets: 200,
    shows: ({ body }) => {
      expect(Object.keys(body).toSorted()).toEqual(['description', 'name', 'version'])
    },
  },
  {
    name: 'shows public keys, for ten minutes',
    call: 'GET /.well-known/jwks.json',
    gets: 200,
    shows: ({ body, headers }) => {
      expect(headers.get('Cache-Control')).toBe('public, max-age=600')
      for (const key of body.keys ?? []) {
        expect(key).toMatchObject({ use: 'sig', key_ops: ['verify'], kid: someText })
        expect(key['kty']).not.toBe('oct')
        expect(key).not.toHaveProperty('d')
      }
    },
  },
  ...[
    {},
    { domain: 'example.com' },
    { provider_id: '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11' },
    { provider_id: 'not-a-uuid' },
    { provider_id: 'x', domain: 'y' },
    '{"broken',
  ].map((body): WireRow => ({
    name: `is refused before it reads ${JSON.stringify(body)}`,
    call: 'POST /sso',
    body,
    ...SAML_OFF,
  })),
]

/** OAuth's callback: without its flow, the user is sent to the site with the reason. */
function callback(method: 'GET' | 'POST', query: string, code: string, says: string | RegExp): WireRow {
  return {
    name: `redirects to the site, with ${code}, for "${query}"`,
    call: method === 'GET' ? `GET /callback${query}` : 'POST /callback',
    ...(method === 'GET'
      ? {}
      : { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: query.slice(1) }),
    gets: 302,
    shows: ({ headers }, { server }) => {
      const to = new URL(headers.get('Location') ?? '')
      expect(to.origin).toBe(new URL(server.url).origin)
      const fragment = new URLSearchParams(to.hash.slice(1))
      expect(fragment.get('error_code')).toBe(code)
      expect(fragment.get('error_description')).toMatch(says)
    },
  }
}
