import { expect } from 'vitest'
import { someNumber, someText } from '../expect-wire.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const FACTOR = { code: 'mfa_factor_not_found', says: 'Factor not found' }

export const factorRows: WireRow[] = [
  {
    name: 'creates a factor, its secret and its QR code',
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
    name: 'refuses a second factor with the same name',
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
    name: `refuses a factor of type "${factor_type}"`,
    call: 'POST /factors',
    as: 'user',
    body: { factor_type },
    gets: 400,
    code: 'validation_failed',
  })),
  {
    name: 'creates no phone factor by default',
    call: 'POST /factors',
    as: 'user',
    body: { factor_type: 'phone', phone: '+15550107601' },
    gets: 422,
    code: 'mfa_phone_enroll_not_enabled',
    says: 'MFA enroll is disabled for Phone',
  },
  {
    name: 'creates no factor when factors are off',
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
    name: 'needs the second factor for a further one',
    call: 'POST /factors',
    as: 'guarded',
    body: { factor_type: 'totp', friendly_name: 'One more' },
    gets: 403,
    code: 'insufficient_aal',
    says: 'AAL2 required to enroll a new factor',
  },
  {
    name: 'creates another factor after the second factor was used',
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
    name: call.includes('second') ? 'does not find another user’s factor' : 'does not find an unknown factor',
    call,
    as: 'user',
    body: { challenge_id: '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', code: '123456' },
    gets: 404,
    ...FACTOR,
  })),
  ...(['POST /factors/mine/challenge', 'POST /factors/mine/verify', 'DELETE /factors/mine'] as const).map(
    (call): WireRow => ({
      name: 'needs a UUID',
      call,
      as: 'user',
      body: { challenge_id: 'x', code: '123456' },
      gets: 404,
      says: 'factor_id must be an UUID',
    }),
  ),
  ...[{}, { code: '' }, { challenge_id: '6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', code: '' }].map(
    (body): WireRow => ({
      name: `needs a code, not ${JSON.stringify(body)}`,
      call: 'POST /factors/{factor}/verify',
      as: 'user',
      body,
      gets: 400,
      code: 'validation_failed',
      says: 'Code needs to be non-empty',
    }),
  ),
  ...['6d1f3c1e-0b1a-4c6a-9f0e-0f3f8f3b2a11', 'no-uuid'].map((challenge_id): WireRow => ({
    name: `does not find the challenge ${challenge_id}`,
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
    name: 'needs the second factor to remove a verified one',
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
