import { expect } from 'vitest'
import type { WireRow } from '../wire-row.ts'

const UUID = '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11'

/** Every path of the service with its methods. */
const PATHS: Record<string, string[]> = {
  '/health': ['GET'],
  '/settings': ['GET'],
  '/.well-known/jwks.json': ['GET'],
  '/signup': ['POST'],
  '/token': ['POST'],
  '/otp': ['POST'],
  '/magiclink': ['POST'],
  '/verify': ['GET', 'POST'],
  '/resend': ['POST'],
  '/recover': ['POST'],
  '/sso': ['POST'],
  '/logout': ['POST'],
  '/reauthenticate': ['GET', 'POST'],
  '/user': ['GET', 'PUT'],
  '/authorize': ['GET'],
  '/callback': ['GET', 'POST'],
  // DELETE takes the last part as an identity.
  '/user/identities/authorize': ['GET', 'DELETE'],
  [`/user/identities/${UUID}`]: ['DELETE'],
  '/factors': ['POST'],
  [`/factors/${UUID}`]: ['DELETE'],
  [`/factors/${UUID}/challenge`]: ['POST'],
  [`/factors/${UUID}/verify`]: ['POST'],
  '/invite': ['POST'],
  '/admin/generate_link': ['POST'],
  '/admin/users': ['GET', 'POST'],
  [`/admin/users/${UUID}`]: ['GET', 'PUT', 'DELETE'],
  [`/admin/users/${UUID}/factors`]: ['GET'],
  [`/admin/users/${UUID}/factors/${UUID}`]: ['DELETE', 'PUT'],
}
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const WANTED_HEADERS = ['authorization', 'apikey', 'content-type', 'x-client-info', 'x-supabase-api-version']

const preflight = (path: string): WireRow => ({
  name: 'answers the preflight of other origins',
  call: `OPTIONS ${path}` as WireRow['call'],
  headers: {
    Origin: 'https://app.example.com',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization, apikey, content-type',
  },
  gets: 204,
  shows: ({ headers }) => {
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
    const methods = headers.get('Access-Control-Allow-Methods')?.split(', ')
    expect(methods).toEqual(expect.arrayContaining(METHODS))
    const allowed = headers.get('Access-Control-Allow-Headers')?.toLowerCase().split(', ')
    expect(allowed).toEqual(expect.arrayContaining(WANTED_HEADERS))
  },
})

export const pathRows: WireRow[] = [
  ...Object.keys(PATHS).map(preflight),
  ...Object.entries(PATHS).flatMap(([path, methods]) =>
    METHODS.filter((method) => !methods.includes(method)).map((method): WireRow => ({
      name: 'is not an API call',
      call: `${method} ${path}` as WireRow['call'],
      gets: 404,
      code: 'not_found',
    })),
  ),
  ...[
    '/',
    '/nowhere',
    '/admin',
    '/admin/',
    '/user/identities',
    '/.well-known/openid-configuration',
    '/token/password',
  ].map((path): WireRow => ({
    name: 'is not an API path',
    call: `GET ${path}` as WireRow['call'],
    gets: 404,
    code: 'not_found',
  })),
  ...['/health', '/settings', '/.well-known/jwks.json'].map((path): WireRow => ({
    name: 'answers HEAD',
    call: `HEAD ${path}` as WireRow['call'],
    gets: 200,
    shows: ({ headers }) => {
      expect(headers.get('Content-Type')).toContain('application/json')
    },
  })),
  { name: 'checks the bearer of HEAD too', call: 'HEAD /user', gets: 401 },
  { name: 'answers HEAD', call: 'HEAD /user', as: 'user', gets: 200 },
  {
    name: 'refuses administrators’ lists to HEAD without the role',
    call: 'HEAD /admin/users',
    as: 'user',
    gets: 403,
  },
  // An extra slash or capital letter reaches the same call with the same guard.
  ...['/user/', '/User', '/USER/'].map((path): WireRow => ({
    name: 'has the guard of /user',
    call: `GET ${path}` as WireRow['call'],
    gets: 401,
    code: 'no_authorization',
  })),
  ...['/admin/users/', '/Admin/Users', `/ADMIN/USERS/${UUID}`].map((path): WireRow => ({
    name: 'has the guard of administrators’ calls',
    call: `GET ${path}` as WireRow['call'],
    as: 'user',
    gets: 403,
    code: 'not_admin',
  })),
  ...['/signup/', '/SignUp'].map((path): WireRow => ({
    name: 'is handled like /signup',
    call: `POST ${path}` as WireRow['call'],
    body: { email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
  })),
  ...['/user/identities/%00', '/admin/users/%ff', '/factors/..%2fadmin'].map((path): WireRow => ({
    name: 'is not found',
    call: `PATCH ${path}` as WireRow['call'],
    gets: 404,
  })),
]
