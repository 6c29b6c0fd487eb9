import { expect } from 'vitest'
import { newEmail, post } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const CODE_REFUSED = { gets: 403, code: 'otp_expired', says: 'Token has expired or is invalid' }
const LINK_REFUSED = { gets: 403, code: 'otp_expired', says: 'Email link is invalid or has expired' }
const quiet = (answer: { body: unknown }) => {
  expect(answer.body).toEqual({})
}

export const otpRows: WireRow[] = [
  {
    name: 'sends a link to a new address, without revealing that it is new',
    on: 'confirming',
    call: 'POST /otp',
    body: prepared(() => ({ email: newEmail(), data: {}, create_user: true, code_challenge: null })),
    gets: 200,
    shows: quiet,
  },
  {
    name: 'gives a known address the same answer',
    on: 'confirming',
    call: 'POST /otp',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 200,
    shows: quiet,
  },
  {
    name: 'refuses an unknown address if sign-up is not wanted',
    on: 'confirming',
    call: 'POST /otp',
    body: prepared(() => ({ email: newEmail(), create_user: false })),
    gets: 422,
    code: 'otp_disabled',
    says: 'Signups not allowed for otp',
  },
  {
    name: 'needs an address or a phone',
    call: 'POST /otp',
    body: { create_user: true },
    gets: 400,
    code: 'validation_failed',
    says: 'One of email or phone must be set',
  },
  {
    name: 'accepts an address or a phone, not both',
    call: 'POST /otp',
    body: { email: 'buyer@example.com', phone: '+15550107201' },
    gets: 400,
    code: 'validation_failed',
    says: 'Only an email address or phone number should be provided',
  },
  {
    name: 'accepts a channel only with a phone',
    call: 'POST /otp',
    body: { email: 'buyer@example.com', channel: 'sms' },
    gets: 400,
    code: 'validation_failed',
    says: 'Channel should only be specified with Phone OTP',
  },
  {
    name: 'refuses an invalid address',
    call: 'POST /otp',
    body: { email: 'buyer@@example' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'refuses an invalid phone',
    call: 'POST /otp',
    body: { phone: 'one-two-three' },
    gets: 400,
    code: 'validation_failed',
    says: 'Invalid phone number format (E.164 required)',
  },
  {
    name: 'needs a message provider',
    call: 'POST /otp',
    body: { phone: '+15550107202' },
    gets: 400,
    code: 'phone_provider_disabled',
    says: 'Unsupported phone provider',
  },
  {
    name: 'is refused when addresses are off',
    on: 'dark',
    call: 'POST /otp',
    body: { email: 'buyer@example.com' },
    gets: 422,
    code: 'email_provider_disabled',
    says: 'Email logins are disabled',
  },
  {
    name: 'is refused when phones are off',
    on: 'confirming',
    call: 'POST /otp',
    body: { phone: '+15550107203' },
    gets: 422,
    code: 'phone_provider_disabled',
    says: 'Phone logins are disabled',
  },
  {
    name: 'creates no account when sign-up is closed',
    on: 'closed',
    call: 'POST /otp',
    body: prepared(() => ({ email: newEmail() })),
    gets: 422,
    code: 'signup_disabled',
    says: 'Signups not allowed for this instance',
  },
  {
    name: 'needs both members of PKCE',
    call: 'POST /otp',
    body: { email: 'buyer@example.com', code_challenge: 'c'.repeat(43) },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  {
    name: 'sends no second mail within a minute',
    on: 'confirming',
    call: 'POST /otp',
    body: prepared(async ({ person, server }) => {
      const { email } = await person()
      await post(server, '/otp', { email })
      return { email }
    }),
    gets: 429,
    code: 'over_email_send_rate_limit',
    says: /^For security purposes, you can only request this after \d+ seconds\./,
  },
  {
    name: 'sends a legacy magic link',
    on: 'confirming',
    call: 'POST /magiclink',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 200,
    shows: quiet,
  },
  {
    name: 'needs an address',
    call: 'POST /magiclink',
    body: {},
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'refuses an invalid address',
    call: 'POST /magiclink',
    body: { email: 'nobody' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'is refused when addresses are off',
    on: 'dark',
    call: 'POST /magiclink',
    body: { email: 'buyer@example.com' },
    gets: 422,
    code: 'email_provider_disabled',
    says: 'Login with magic link is disabled',
  },
]

export const verifyRows: WireRow[] = [
  {
    name: 'needs a type',
    call: 'POST /verify',
    body: { email: 'buyer@example.com', token: '123456' },
    gets: 400,
    code: 'validation_failed',
    says: 'Verify requires a verification type',
  },
  {
    name: 'needs a code or a hash',
    call: 'POST /verify',
    body: { type: 'signup', email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: 'Verify requires either a token or a token hash',
  },
  {
    name: 'accepts an address or a phone, not both',
    call: 'POST /verify',
    body: { type: 'email', token: '123456', token_hash: 'hash' },
    gets: 400,
    code: 'validation_failed',
    says: 'Verify requires either a token or a token hash',
  },
  ...[{ email: 'buyer@example.com' }, { phone: '+15550107301' }].map((who): WireRow => ({
    name: `refuses ${Object.keys(who).join()} with a hash`,
    call: 'POST /verify',
    body: { type: 'email', token_hash: 'hash', ...who },
    gets: 400,
    code: 'validation_failed',
    says: 'Only the token_hash and type should be provided',
  })),
  ...[{}, { email: 'buyer@example.com', phone: '+15550107301' }].map((who): WireRow => ({
    name: `needs an address or a phone with a code, not ${Object.keys(who).join(' and ') || 'neither'}`,
    call: 'POST /verify',
    body: { type: 'email', token: '123456', ...who },
    gets: 400,
    code: 'validation_failed',
    says: 'Only an email address or phone number should be provided on verify',
  })),
  {
    name: 'refuses other types with an address',
    call: 'POST /verify',
    body: { type: 'telepathy', token: '123456', email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: 'Unsupported verification type',
  },
  {
    name: 'refuses other types with a hash',
    call: 'POST /verify',
    body: { type: 'telepathy', token_hash: 'a'.repeat(56) },
    gets: 400,
    code: 'validation_failed',
    says: 'Unsupported verification type',
  },
  ...['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'].flatMap((type): WireRow[] => [
    {
      name: `refuses a code of type ${type} to an unknown address`,
      call: 'POST /verify',
      body: prepared(() => ({ type, token: '123456', email: newEmail() })),
      ...CODE_REFUSED,
    },
    {
      name: `refuses a code of type ${type} that was never sent`,
      call: 'POST /verify',
      body: prepared(async ({ person }) => ({ type, token: '123456', email: (await person()).email })),
      ...CODE_REFUSED,
    },
    {
      name: `refuses a hash of type ${type} that was never sent`,
      call: 'POST /verify',
      body: { type, token_hash: 'a'.repeat(56) },
      ...LINK_REFUSED,
    },
  ]),
  ...['sms', 'phone_change'].map((type): WireRow => ({
    name: `refuses a code of type ${type} to an unknown phone`,
    call: 'POST /verify',
    body: { type, token: '123456', phone: '+15550107302' },
    ...CODE_REFUSED,
  })),
  ...['12345', '1234567', 'abcdef', ' ', '1'.repeat(5000), '١٢٣٤٥٦'].map((token): WireRow => ({
    name: `refuses ${token.length > 20 ? 'a very long text' : `"${token}"`} like a wrong code`,
    call: 'POST /verify',
    body: prepared(async ({ person }) => ({ type: 'email', token, email: (await person()).email })),
    ...CODE_REFUSED,
  })),
  {
    name: 'refuses a wrong code, after one was sent',
    on: 'confirming',
    call: 'POST /verify',
    body: prepared(async ({ person, server }) => {
      const { email } = await person()
      await post(server, '/otp', { email })
      return { type: 'email', token: 'abcdef', email }
    }),
    ...CODE_REFUSED,
  },
  {
    name: 'refuses SQL as a hash',
    call: 'POST /verify',
    body: { type: 'email', token_hash: "' or '1'='1" },
    ...LINK_REFUSED,
  },
]
