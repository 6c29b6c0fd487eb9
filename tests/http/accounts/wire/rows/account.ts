import { expect } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { expectUser } from '../expect-wire.ts'
import { newEmail } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

/** PUT /user, for the token's own user. */
export const userRows: WireRow[] = [
  {
    name: 'changes nothing when nothing is given',
    call: 'PUT /user',
    as: 'user',
    body: {},
    gets: 200,
    shows: expectUser,
  },
  {
    name: 'merges metadata, and removes members that become null',
    call: 'PUT /user',
    as: 'second',
    body: { data: { colour: 'teal', gone: null } },
    gets: 200,
    shows: ({ body }) => {
      expect(body['user_metadata']).toMatchObject({ colour: 'teal' })
      expect(body['user_metadata']).not.toHaveProperty('gone')
    },
  },
  {
    name: 'lets only administrators change app_metadata',
    call: 'PUT /user',
    as: 'user',
    body: { app_metadata: { plan: 'unlimited' } },
    gets: 403,
    code: 'not_admin',
    says: 'Updating app_metadata requires admin privileges',
  },
  {
    name: 'refuses the present password as a new one',
    call: 'PUT /user',
    as: 'user',
    body: { password: PASSWORD },
    gets: 422,
    code: 'same_password',
    says: 'New password should be different from the old password.',
  },
  {
    name: 'refuses a weak password',
    call: 'PUT /user',
    as: 'user',
    body: { password: 'abc' },
    gets: 422,
    code: 'weak_password',
    shows: ({ body }) => {
      expect(body.weak_password?.reasons).toContain('length')
    },
  },
  {
    name: 'refuses a taken address',
    call: 'PUT /user',
    as: 'user',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 422,
    code: 'email_exists',
    says: 'A user with this email address has already been registered',
  },
  ...['not-an-address', 'b@example.com\r\nBcc: all@example.com', 'b\u0443yer@example.com'].map(
    (email): WireRow => ({
      name: `refuses the address ${JSON.stringify(email)}`,
      call: 'PUT /user',
      as: 'user',
      body: { email },
      gets: 400,
      code: 'validation_failed',
    }),
  ),
  {
    name: 'refuses an invalid phone',
    call: 'PUT /user',
    as: 'user',
    body: { phone: 'call me' },
    gets: 400,
    code: 'validation_failed',
    says: 'Invalid phone number format (E.164 required)',
  },
  {
    name: 'gives no password to an anonymous user without an address',
    call: 'PUT /user',
    as: 'anonymous',
    body: { password: 'Basalt-Meadow-71' },
    gets: 422,
    says: 'Updating password of an anonymous user without an email or phone is not allowed',
  },
  ...[{ password: 'Basalt-Meadow-71' }, { email: 'elsewhere@example.com' }].map((body): WireRow => ({
    name: `needs the second factor for a new ${Object.keys(body).join()}`,
    call: 'PUT /user',
    as: 'guarded',
    body,
    gets: 401,
    code: 'insufficient_aal',
    says: 'AAL2 session is required to update email or password when MFA is enabled.',
  })),
  {
    name: 'keeps a new address pending until it is confirmed',
    on: 'confirming',
    call: 'PUT /user',
    as: 'user',
    body: prepared(() => ({ email: newEmail() })),
    gets: 200,
    shows: ({ body }) => {
      expect(body['new_email']).toMatch(/@example\.com$/)
      expect(body.email).not.toBe(body['new_email'])
    },
  },
  {
    name: 'needs both members of PKCE',
    call: 'PUT /user',
    as: 'user',
    body: { email: 'pkce@example.com', code_challenge: 'c'.repeat(43) },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  {
    name: 'does not change the role on request',
    call: 'PUT /user',
    as: 'user',
    body: { role: 'service_role', is_anonymous: true, banned_until: null },
    gets: 200,
    shows: ({ body }) => {
      expect(body).toMatchObject({ role: 'authenticated', is_anonymous: false })
    },
  },
]

export const reauthenticateRows: WireRow[] = [
  {
    name: 'sends a nonce',
    call: 'GET /reauthenticate',
    as: 'user',
    gets: 200,
    shows: ({ body }) => {
      expect(body).toEqual({})
    },
  },
  {
    name: 'needs an address or a phone to send to',
    call: 'GET /reauthenticate',
    as: 'anonymous',
    gets: 400,
    code: 'validation_failed',
    says: 'Reauthentication requires the user to have an email or a phone number',
  },
]

export const logoutRows: WireRow[] = [
  ...['everywhere', '', 'GLOBAL', 'local,others'].map((scope): WireRow => ({
    name: `refuses the scope "${scope}"`,
    call: `POST /logout?scope=${scope}`,
    as: 'user',
    gets: 400,
    code: 'validation_failed',
    says: `Unsupported logout scope "${scope}"`,
  })),
  {
    name: 'ends only the other sessions',
    call: 'POST /logout?scope=others',
    as: 'user',
    gets: 204,
  },
]

export const identityRows: WireRow[] = [
  {
    name: 'needs a UUID',
    call: 'DELETE /user/identities/not-a-uuid',
    as: 'user',
    gets: 404,
    says: 'identity_id must be an UUID',
  },
  {
    name: 'is off by default, linking',
    on: 'confirming',
    call: 'GET /user/identities/authorize?provider=google&skip_http_redirect=true',
    as: 'user',
    gets: 404,
    code: 'manual_linking_disabled',
    says: 'Manual linking is disabled',
  },
  {
    name: 'is off by default, unlinking',
    on: 'confirming',
    call: 'DELETE /user/identities/{uuid}',
    as: 'user',
    gets: 404,
    code: 'manual_linking_disabled',
    says: 'Manual linking is disabled',
  },
  {
    name: 'does not find another user’s identity',
    call: 'DELETE /user/identities/{identity}',
    as: 'user',
    gets: 422,
    says: /^(Identity doesn't exist|User must have at least 1 identity after unlinking)$/,
  },
  {
    name: 'does not remove the last identity',
    call: 'DELETE /user/identities/{identity}',
    as: 'second',
    gets: 422,
    code: 'single_identity_not_deletable',
    says: 'User must have at least 1 identity after unlinking',
  },
  {
    name: 'refuses a provider that is not configured',
    call: 'GET /user/identities/authorize?provider=myspace&skip_http_redirect=true',
    as: 'user',
    gets: 400,
    says: /^Unsupported provider: /,
  },
]
