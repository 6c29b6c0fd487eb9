import { expect } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'
import { expectSession, expectUser } from '../expect-wire.ts'
import { REFUSED_ADDRESSES, REFUSED_PHONES, WEAK_PASSWORDS } from './refused-values.ts'

const CHALLENGE = 'a'.repeat(43)

export const signUpRows: WireRow[] = [
  {
    name: 'signs in at once if no confirmation is needed',
    call: 'POST /signup',
    body: prepared(() => ({ email: newEmail(), password: PASSWORD })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'answers with the user alone if the address needs confirmation',
    on: 'confirming',
    call: 'POST /signup',
    body: prepared(() => ({ email: newEmail(), password: PASSWORD })),
    gets: 200,
    shows: ({ body }) => {
      expectUser({ body })
      expect(body).not.toHaveProperty('access_token')
      expect(body['email_confirmed_at']).toBeUndefined()
    },
  },
  {
    name: 'treats nulls as absent members, because the client without PKCE sends them',
    call: 'POST /signup',
    body: prepared(() => ({
      email: newEmail(),
      password: PASSWORD,
      phone: null,
      data: {},
      gotrue_meta_security: {},
      code_challenge: null,
      code_challenge_method: null,
    })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'accepts a password of 128 characters',
    call: 'POST /signup',
    body: prepared(() => ({ email: newEmail(), password: `Qz-8#${'kLmR7_pW'.repeat(16)}`.slice(0, 128) })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'creates an anonymous account without address and phone',
    call: 'POST /signup',
    body: { data: { plan: 'trial' } },
    gets: 200,
    shows: ({ body }) => {
      expectSession({ body })
      expect(body.user).toMatchObject({
        is_anonymous: true,
        email: '',
        phone: '',
        role: 'authenticated',
        app_metadata: {},
        user_metadata: { plan: 'trial' },
      })
    },
  },
  {
    name: 'creates no anonymous account by default',
    on: 'confirming',
    call: 'POST /signup',
    body: { data: {} },
    gets: 422,
    code: 'anonymous_provider_disabled',
    says: 'Anonymous sign-ins are disabled',
  },
  {
    name: 'signs in by phone at once if no confirmation is needed',
    call: 'POST /signup',
    body: { phone: '+15550107001', password: PASSWORD, channel: 'sms' },
    gets: 200,
    shows: ({ body }) => {
      expectSession({ body })
      expect(body.user?.['phone']).toBe('15550107001')
    },
  },
  {
    name: 'needs a password with an address',
    call: 'POST /signup',
    body: { email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: 'Signup requires a valid password',
  },
  {
    name: 'needs a password with a phone',
    call: 'POST /signup',
    body: { phone: '+15550107002' },
    gets: 400,
    code: 'validation_failed',
    says: 'Signup requires a valid password',
  },
  {
    name: 'needs an address or a phone, not both',
    call: 'POST /signup',
    body: { email: 'buyer@example.com', phone: '+15550107002', password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
    says: 'Only an email address or phone number should be provided on signup.',
  },
  {
    name: 'refuses PKCE for phones',
    call: 'POST /signup',
    body: {
      phone: '+15550107003',
      password: PASSWORD,
      code_challenge: CHALLENGE,
      code_challenge_method: 's256',
    },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE not supported for phone signups',
  },
  {
    name: 'accepts two channels',
    call: 'POST /signup',
    body: { phone: '+15550107004', password: PASSWORD, channel: 'pigeon' },
    gets: 400,
    code: 'validation_failed',
    says: /^Invalid channel, supported values are 'sms' or 'whatsapp'\./,
  },
  {
    name: 'refuses a taken address',
    call: 'POST /signup',
    body: prepared(async (world) => ({ email: (await world.person()).email, password: PASSWORD })),
    gets: 422,
    code: 'user_already_exists',
    says: 'User already registered',
  },
  {
    name: 'refuses a taken address in another case, with spaces around it',
    call: 'POST /signup',
    body: prepared(async (world) => ({
      email: `  ${(await world.person()).email.toUpperCase()} `,
      password: PASSWORD,
    })),
    gets: 422,
    code: 'user_already_exists',
    says: 'User already registered',
  },
  {
    name: 'does not reveal that an address is taken if addresses need confirmation',
    on: 'confirming',
    call: 'POST /signup',
    body: prepared(async (world) => ({ email: (await world.person()).email, password: PASSWORD })),
    gets: 200,
    shows: ({ body }) => {
      expectUser({ body })
      expect(body['identities']).toEqual([])
      expect(body).not.toHaveProperty('access_token')
    },
  },
  ...['email', 'phone'].map((way): WireRow => ({
    name: `creates no account by ${way} when sign-up is closed`,
    on: 'closed',
    call: 'POST /signup',
    body: {
      [way]: way === 'email' ? 'new-buyer@example.com' : '+15550107005',
      password: PASSWORD,
    },
    gets: 422,
    code: 'signup_disabled',
    says: 'Signups not allowed for this instance',
  })),
  {
    name: 'creates no anonymous account when sign-up is closed',
    on: 'closed',
    call: 'POST /signup',
    body: {},
    gets: 422,
    code: 'signup_disabled',
    says: 'Signups not allowed for this instance',
  },
  {
    name: 'refuses an address when addresses are off',
    on: 'dark',
    call: 'POST /signup',
    body: { email: 'buyer@example.com', password: PASSWORD },
    gets: 400,
    code: 'email_provider_disabled',
    says: 'Email signups are disabled',
  },
  {
    name: 'refuses a phone when phones are off',
    on: 'confirming',
    call: 'POST /signup',
    body: { phone: '+15550107006', password: PASSWORD },
    gets: 400,
    code: 'phone_provider_disabled',
    says: 'Phone signups are disabled',
  },
  ...Object.entries(REFUSED_ADDRESSES).map(([how, email]): WireRow => ({
    name: `refuses an address ${how}`,
    call: 'POST /signup',
    body: { email, password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
  })),
  ...REFUSED_PHONES.map((phone): WireRow => ({
    name: `refuses the phone ${phone}`,
    call: 'POST /signup',
    body: { phone, password: PASSWORD },
    gets: 400,
    code: 'validation_failed',
    says: 'Invalid phone number format (E.164 required)',
  })),
  ...Object.entries(WEAK_PASSWORDS).map(([how, password]): WireRow => ({
    name: `refuses a password ${how}`,
    call: 'POST /signup',
    body: { email: 'weak@example.com', password },
    gets: 422,
    code: 'weak_password',
    shows: ({ body }) => {
      expect(body.weak_password?.reasons.length).toBeGreaterThan(0)
    },
  })),
  {
    name: 'needs both members of PKCE: a challenge alone is not enough',
    call: 'POST /signup',
    body: { email: 'pkce@example.com', password: PASSWORD, code_challenge: CHALLENGE },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  {
    name: 'needs both members of PKCE: a method alone is not enough',
    call: 'POST /signup',
    body: { email: 'pkce@example.com', password: PASSWORD, code_challenge_method: 's256' },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  ...[42, 129].map((length): WireRow => ({
    name: `refuses a challenge of ${length} characters`,
    call: 'POST /signup',
    body: {
      email: 'pkce@example.com',
      password: PASSWORD,
      code_challenge: 'c'.repeat(length),
      code_challenge_method: 'S256',
    },
    gets: 400,
    code: 'validation_failed',
    says: 'code challenge has to be between 43 and 128 characters',
  })),
  {
    name: 'refuses a challenge with other characters',
    call: 'POST /signup',
    body: {
      email: 'pkce@example.com',
      password: PASSWORD,
      code_challenge: `${'c'.repeat(43)}+/=`,
      code_challenge_method: 'S256',
    },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'refuses an unknown method of PKCE',
    call: 'POST /signup',
    body: {
      email: 'pkce@example.com',
      password: PASSWORD,
      code_challenge: CHALLENGE,
      code_challenge_method: 's512',
    },
    gets: 400,
    code: 'validation_failed',
  },
]
