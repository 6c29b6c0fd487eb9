import { expect } from 'vitest'
import { expectUser, someNumber, someText } from '../expect-wire.ts'
import { newEmail, PASSWORD } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

/** PUT /user, for the bearer alone. */
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
    name: 'merges metadata, and forgets what becomes null',
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
    name: 'keeps app_metadata for administrators',
    call: 'PUT /user',
    as: 'user',
    body: { app_metadata: { plan: 'unlimited' } },
    gets: 403,
    code: 'not_admin',
    says: 'Updating app_metadata requires admin privileges',
  },
  {
    name: 'refuses the password that it has already',
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
    name: 'refuses an address that is taken',
    call: 'PUT /user',
    as: 'user',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 422,
    code: 'email_exists',
    says: 'A user with this email address has already been registered',
  },
  ...['not-an-address', 'b@example.com\r\nBcc: all@example.com', 'b\u0443yer@example.com'].map(
    (email): WireRow => ({
      name: `refuses ${JSON.stringify(email)} for an address`,
      call: 'PUT /user',
      as: 'user',
      body: { email },
      gets: 400,
      code: 'validation_failed',
    }),
  ),
  {
    name: 'refuses what is no phone',
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
    name: `wants the second factor for a new ${Object.keys(body).join()}`,
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
    name: 'wants both members of PKCE',
    call: 'PUT /user',
    as: 'user',
    body: { email: 'pkce@example.com', code_challenge: 'c'.repeat(43) },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  {
    name: 'gives no other role to who asks for it',
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
    name: `knows no scope "${scope}"`,
    call: `POST /logout?scope=${scope}`,
    as: 'user',
    gets: 400,
    code: 'validation_failed',
    says: `Unsupported logout scope "${scope}"`,
  })),
  {
    name: 'ends the others alone',
    call: 'POST /logout?scope=others',
    as: 'user',
    gets: 204,
  },
]

export const identityRows: WireRow[] = [
  {
    name: 'wants a UUID',
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
    name: 'knows no identity of another user',
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
    name: 'knows no provider that is not configured',
    call: 'GET /user/identities/authorize?provider=myspace&skip_http_redirect=true',
    as: 'user',
    gets: 400,
    says: /^Unsupported provider: /,
  },
]

const FACTOR = { code: 'mfa_factor_not_found', says: 'Factor not found' }
export const factorRows: WireRow[] = [
  {
    name: 'makes a factor, its secret and its picture',
    call: 'POST /factors',
    as: 'second',
    body: { friendly_name: 'Another phone', factor_type: 'totp', issuer: 'Leadwire' },
    gets: 200,
    shows: ({ body }) => {
      expect(body).toMatchObject({ id: someText, type: 'totp', friendly_name: 'Another phone' })
      expect(body.totp?.qr_code).toMatch(/^<svg|^<\?xml/)
      expect(body.totp?.secret).toMatch(/^[A-Z2-7]{16,}$/)
      expect(body.totp?.uri).toMatch(/^otpauth:\/\/totp\//)
    },
  },
  {
    name: 'makes none of a second with the same name',
    call: 'POST /factors',
    as: 'user',
    body: prepared(async (world) => {
      await world.id('factor')
      return { friendly_name: 'Phone on the desk', factor_type: 'totp' }
    }),
    gets: 422,
    code: 'mfa_factor_name_conflict',
    says: 'A factor with the friendly name "Phone on the desk" for this user already exists',
  },
  ...['pigeon', '', 'TOTP'].map((factor_type): WireRow => ({
    name: `knows no factor of type "${factor_type}"`,
    call: 'POST /factors',
    as: 'user',
    body: { factor_type },
    gets: 400,
    code: 'validation_failed',
  })),
  {
    name: 'makes no factor of phones by default',
    call: 'POST /factors',
    as: 'user',
    body: { factor_type: 'phone', phone: '+15550107601' },
    gets: 422,
    code: 'mfa_phone_enroll_not_enabled',
    says: 'MFA enroll is disabled for Phone',
  },
  {
    name: 'makes no factor where they are off',
    on: 'dark',
    call: 'POST /factors',
    as: 'user',
    body: { factor_type: 'totp' },
    gets: 422,
    code: 'mfa_totp_enroll_not_enabled',
    says: 'MFA enroll is disabled for TOTP',
  },
  ...(
    [
      'POST /factors',
      'POST /factors/{uuid}/challenge',
      'POST /factors/{uuid}/verify',
      'DELETE /factors/{uuid}',
    ] as const
  ).map((call): WireRow => ({
    name: 'is not for anonymous users',
    call,
    as: 'anonymous',
    body: { factor_type: 'totp', challenge_id: 'x', code: '123456' },
    gets: 403,
    code: 'no_authorization',
    says: 'Anonymous user not allowed to perform these actions',
  })),
  {
    name: 'wants the second factor for a further one',
    call: 'POST /factors',
    as: 'guarded',
    body: { factor_type: 'totp', friendly_name: 'One more' },
    gets: 403,
    code: 'insufficient_aal',
    says: 'AAL2 required to enroll a new factor',
  },
  {
    name: 'makes a further factor for who has shown the second one',
    call: 'POST /factors',
    as: 'raised',
    body: { factor_type: 'totp', friendly_name: 'At home' },
    gets: 200,
  },
  {
    name: 'challenges a factor',
    call: 'POST /factors/{factor}/challenge',
    as: 'user',
    body: prepared(async (world) => ({ factorId: await world.id('factor') })),
    gets: 200,
    shows: ({ body }) => {
      expect(body).toMatchObject({ id: someText, type: 'totp', expires_at: someNumber })
    },
  },
  ...(
    [
      'POST /factors/{uuid}/challenge',
      'POST /factors/{uuid}/verify',
      'DELETE /factors/{uuid}',
      'POST /factors/{secondFactor}/challenge',
      'POST /factors/{secondFactor}/verify',
      'DELETE /factors/{secondFactor}',
    ] as const
  ).map((call): WireRow => ({
    name: call.includes('second') ? 'knows no factor of another user' : 'knows no such factor',
    call,
    as: 'user',
    body: { challenge_id: '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', code: '123456' },
    gets: 404,
    ...FACTOR,
  })),
  ...(['POST /factors/mine/challenge', 'POST /factors/mine/verify', 'DELETE /factors/mine'] as const).map(
    (call): WireRow => ({
      name: 'wants a UUID',
      call,
      as: 'user',
      body: { challenge_id: 'x', code: '123456' },
      gets: 404,
      says: 'factor_id must be an UUID',
    }),
  ),
  ...[{}, { code: '' }, { challenge_id: '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', code: '' }].map(
    (body): WireRow => ({
      name: `wants a code, not ${JSON.stringify(body)}`,
      call: 'POST /factors/{factor}/verify',
      as: 'user',
      body,
      gets: 400,
      code: 'validation_failed',
      says: 'Code needs to be non-empty',
    }),
  ),
  ...['6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', 'no-uuid'].map((challenge_id): WireRow => ({
    name: `knows no challenge ${challenge_id}`,
    call: 'POST /factors/{factor}/verify',
    as: 'user',
    body: { challenge_id, code: '123456' },
    gets: 422,
    code: 'mfa_factor_not_found',
    says: 'MFA factor with the provided challenge ID not found',
  })),
  ...['000000', '12345', 'abcdef', '1'.repeat(1000)].map((code): WireRow => ({
    name: `refuses the code ${code.slice(0, 10)}`,
    call: 'POST /factors/{factor}/verify',
    as: 'user',
    body: prepared(async (world) => ({ challenge_id: await challenge(world), code })),
    gets: 422,
    code: 'mfa_verification_failed',
    says: 'Invalid TOTP code entered',
  })),
  {
    name: 'wants the second factor to remove a verified one',
    call: 'DELETE /factors/{verifiedFactor}',
    as: 'guarded',
    gets: 422,
    code: 'insufficient_aal',
    says: 'AAL2 required to unenroll verified factor',
  },
]

async function challenge(
  world: Parameters<typeof prepared>[0] extends (world: infer W) => unknown ? W : never,
) {
  const factor = await world.id('factor')
  const response = await fetch(`${world.server.url}/factors/${factor}/challenge`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await world.bearer('user')}` },
  })
  const { id } = (await response.json()) as { id: string }
  return id
}
