import { expect } from 'vitest'
import { expectUser } from '../expect-wire.ts'
import type { WireRow } from '../wire-row.ts'
import type { Bearer } from '../wire-world.ts'

const UUID = '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11'

/** Calls that need a session. */
export const SESSION_CALLS: WireRow['call'][] = [
  'GET /user',
  'PUT /user',
  'POST /logout',
  'GET /reauthenticate',
  'GET /user/identities/authorize?provider=google',
  `DELETE /user/identities/${UUID}`,
  'POST /factors',
  `POST /factors/${UUID}/challenge`,
  `POST /factors/${UUID}/verify`,
  `DELETE /factors/${UUID}`,
]
/** Calls for administrators only. */
export const ADMIN_CALLS: WireRow['call'][] = [
  'POST /invite',
  'POST /admin/generate_link',
  'GET /admin/users',
  'POST /admin/users',
  `GET /admin/users/${UUID}`,
  `PUT /admin/users/${UUID}`,
  `DELETE /admin/users/${UUID}`,
  `GET /admin/users/${UUID}/factors`,
  `DELETE /admin/users/${UUID}/factors/${UUID}`,
]

const UNREADABLE = /^invalid JWT: unable to parse or verify signature, ./
const GONE = { gets: 403, code: 'session_not_found' }
const refused: Partial<Record<Bearer, Pick<WireRow, 'gets' | 'code' | 'says'>>> = {
  garbage: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  publishable: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  unsigned: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  unsignedService: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  foreign: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  confused: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  tampered: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  expired: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  endless: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  otherIssuer: { gets: 403, code: 'bad_jwt', says: UNREADABLE },
  anonKey: { gets: 403, code: 'bad_jwt', says: 'invalid claim: missing sub claim' },
  withoutSubject: { gets: 403, code: 'bad_jwt', says: 'invalid claim: missing sub claim' },
  service: { gets: 403, code: 'bad_jwt', says: 'invalid claim: missing sub claim' },
  oddSubject: { gets: 400, code: 'bad_jwt', says: 'invalid claim: sub claim must be a UUID' },
  serviceWithSubject: { gets: 400, code: 'bad_jwt', says: 'invalid claim: sub claim must be a UUID' },
  unknownSubject: { gets: 403, code: 'user_not_found', says: 'User from sub claim in JWT does not exist' },
  deleted: { gets: 403, code: 'user_not_found', says: 'User from sub claim in JWT does not exist' },
  erased: { gets: 403, code: 'user_not_found', says: 'User from sub claim in JWT does not exist' },
  signedOut: { ...GONE, says: 'Session from session_id claim in JWT does not exist' },
  withoutSession: { ...GONE, says: 'Session from session_id claim in JWT does not exist' },
  banned: { gets: 403, code: 'user_banned', says: 'User is banned' },
}
const WITHOUT = { gets: 401, code: 'no_authorization', says: 'This endpoint requires a valid Bearer token' }

export const bearerRows: WireRow[] = [
  { name: 'shows the user', call: 'GET /user', as: 'user', gets: 200, shows: expectUser },
  {
    name: 'shows an anonymous user',
    call: 'GET /user',
    as: 'anonymous',
    gets: 200,
    shows: ({ body }) => {
      expectUser({ body })
      expect(body).toMatchObject({ is_anonymous: true, identities: [], email: '' })
    },
  },
  ...(Object.entries(refused) as [Bearer, Pick<WireRow, 'gets' | 'code' | 'says'>][]).map(
    ([as, answer]): WireRow => ({ name: 'refuses the token', call: 'GET /user', as, ...answer }),
  ),
  {
    name: 'refuses a token for another service',
    call: 'GET /user',
    as: 'otherAudience',
    gets: 400,
    code: 'validation_failed',
    says: "Token audience doesn't match request audience",
  },
  {
    name: 'refuses a program’s request for tokens of another service',
    call: 'GET /user',
    as: 'user',
    headers: { 'X-JWT-AUD': 'elsewhere' },
    gets: 400,
    code: 'validation_failed',
    says: "Token audience doesn't match request audience",
  },
  {
    name: 'accepts a requested audience',
    call: 'GET /user',
    as: 'user',
    headers: { 'X-JWT-AUD': 'authenticated' },
    gets: 200,
    shows: expectUser,
  },
  ...[...SESSION_CALLS, ...ADMIN_CALLS].map((call): WireRow => ({
    name: 'needs a bearer',
    call,
    ...WITHOUT,
  })),
  ...['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'bearertoken'].map((header): WireRow => ({
    name: `reads no bearer from "${header}"`,
    call: 'GET /user',
    headers: { Authorization: header },
    ...WITHOUT,
  })),
  ...SESSION_CALLS.filter((call) => call !== 'GET /user').map((call): WireRow => ({
    name: 'refuses a forged token before anything else',
    call,
    as: 'foreign',
    gets: 403,
    code: 'bad_jwt',
  })),
  ...SESSION_CALLS.filter((call) => call !== 'GET /user').map((call): WireRow => ({
    name: 'refuses the token of an ended session',
    call,
    as: 'signedOut',
    ...GONE,
  })),
  ...ADMIN_CALLS.flatMap((call): WireRow[] => [
    { name: 'is not for users', call, as: 'user', gets: 403, code: 'not_admin', says: 'User not allowed' },
    {
      name: 'is not for the public key',
      call,
      as: 'anonKey',
      gets: 403,
      code: 'not_admin',
      says: 'User not allowed',
    },
    { name: 'refuses a forged token of the service', call, as: 'foreignService', gets: 403, code: 'bad_jwt' },
    {
      name: 'refuses an unsigned token of the service',
      call,
      as: 'unsignedService',
      gets: 403,
      code: 'bad_jwt',
    },
  ]),
]
