import { expect } from 'vitest'
import { newEmail, post } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const quiet = (answer: { body: unknown }) => {
  expect(answer.body).toEqual({})
}

export const linkRows: WireRow[] = [
  {
    name: 'needs a token',
    call: 'GET /verify?type=signup',
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'needs a type',
    call: 'GET /verify?token=abc',
    gets: 400,
    code: 'validation_failed',
  },
  ...['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email'].map((type): WireRow => ({
    name: `redirects from an invalid link of type ${type}, with the reason`,
    call: `GET /verify?token=${'0'.repeat(56)}&type=${type}&redirect_to=https%3A%2F%2Fapp.example.com%2Fdashboard`,
    gets: 303,
    shows: ({ headers }) => {
      const to = new URL(headers.get('Location') ?? '')
      expect(to.origin + to.pathname).toBe('https://app.example.com/dashboard')
      const fragment = new URLSearchParams(to.hash.slice(1))
      expect(Object.fromEntries(fragment)).toMatchObject({
        error: 'access_denied',
        error_code: 'otp_expired',
        error_description: 'Email link is invalid or has expired',
      })
    },
  })),
  {
    name: 'reports the reason in the query too if the flow began with PKCE',
    call: `GET /verify?token=pkce_${'0'.repeat(56)}&type=magiclink&redirect_to=https://app.example.com/x?kept=1`,
    gets: 303,
    shows: ({ headers }) => {
      const to = new URL(headers.get('Location') ?? '')
      expect(to.searchParams.get('kept')).toBe('1')
      for (const place of [to.searchParams, new URLSearchParams(to.hash.slice(1))])
        expect(place.get('error_code')).toBe('otp_expired')
    },
  },
  {
    name: 'is not used up by HEAD',
    call: `HEAD /verify?token=${'0'.repeat(56)}&type=signup`,
    gets: 200,
  },
  ...Object.entries({
    'a foreign host': 'https://evil.example/dashboard',
    'a host that begins like ours': 'https://app.example.com.evil.example/',
    'a host that ends like ours': 'https://evilapp.example.com/',
    'two slashes alone': '//evil.example/',
    backslashes: 'https:\\\\evil.example\\',
    'a slash and a backslash': '/\\evil.example',
    'our host for a user name': 'https://app.example.com@evil.example/',
    'our host for a user name and password': 'https://app.example.com:443@evil.example/',
    'a script': 'javascript:alert(document.cookie)',
    'a data URL': 'data:text/html,<script>alert(1)</script>',
    'an encoded host': 'https:%2f%2fevil.example',
    'a line break': 'https://evil.example/\r\nSet-Cookie: a=b',
    'a tab in the scheme': 'ht\ttps://evil.example/',
    'a decimal address': 'http://2130706433/',
    'a bare address': 'http://93.184.216.34/',
    'a shortened address': 'http://127.1/',
    'an escaped dot in the host': 'https://evil%2eexample?.preview.example.com',
    'another full stop in the host': 'https://evil\u3002example?.preview.example.com',
    'a query that ends like a pattern': 'https://evil?.preview.example.com',
    'another scheme at our host': 'ftp://app.example.com/',
    'two levels under a pattern of one': 'https://a.b.preview.example.com',
    nothing: '',
  }).map(([how, target]): WireRow => ({
    name: `never redirects to ${how}`,
    call: `GET /verify?token=${'0'.repeat(56)}&type=signup&redirect_to=${encodeURIComponent(target)}`,
    gets: 303,
    shows: ({ headers }, { server }) => {
      const to = new URL(headers.get('Location') ?? '')
      expect(to.origin).toBe(new URL(server.url).origin)
    },
  })),
  ...['https://app.example.com/deep/er?tab=2', 'https://x.preview.example.com'].map((target): WireRow => ({
    name: `redirects to ${target}, which is on the allow list`,
    call: `GET /verify?token=${'0'.repeat(56)}&type=signup&redirect_to=${encodeURIComponent(target)}`,
    gets: 303,
    shows: ({ headers }) => {
      expect(new URL(headers.get('Location') ?? '').host).toBe(new URL(target).host)
    },
  })),
]

const TYPES = 'Missing one of these types: signup, email_change, sms, phone_change'

export const resendRows: WireRow[] = [
  ...[undefined, '', 'magiclink', 'recovery', 'SIGNUP'].map((type): WireRow => ({
    name: `refuses the type ${JSON.stringify(type) ?? 'undefined'}`,
    call: 'POST /resend',
    body: { type, email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: TYPES,
  })),
  ...['signup', 'email_change'].map((type): WireRow => ({
    name: `needs an address for ${type}`,
    call: 'POST /resend',
    body: { type, phone: '+15550107401' },
    gets: 400,
    code: 'validation_failed',
    says: 'Type provided requires an email address',
  })),
  ...['sms', 'phone_change'].map((type): WireRow => ({
    name: `needs a phone for ${type}`,
    call: 'POST /resend',
    body: { type, email: 'buyer@example.com' },
    gets: 400,
    code: 'validation_failed',
    says: 'Type provided requires a phone number',
  })),
  {
    name: 'accepts an address or a phone, not both',
    call: 'POST /resend',
    body: { type: 'signup', email: 'buyer@example.com', phone: '+15550107402' },
    gets: 400,
    code: 'validation_failed',
    says: 'Only an email address or phone number should be provided.',
  },
  {
    name: 'needs an address or a phone',
    call: 'POST /resend',
    body: { type: 'signup' },
    gets: 400,
    code: 'validation_failed',
    says: /^(Missing email address or phone number|Type provided requires an email address)$/,
  },
  ...['signup', 'email_change'].flatMap((type): WireRow[] => [
    {
      name: `does not reveal that an address is unknown (${type})`,
      on: 'confirming',
      call: 'POST /resend',
      body: prepared(() => ({ type, email: newEmail() })),
      gets: 200,
      shows: quiet,
    },
    {
      name: `does not reveal that an address is confirmed (${type})`,
      on: 'confirming',
      call: 'POST /resend',
      body: prepared(async ({ person }) => ({ type, email: (await person()).email })),
      gets: 200,
      shows: quiet,
    },
  ]),
  {
    name: 'sends an unconfirmed address its mail again',
    on: 'confirming',
    call: 'POST /resend',
    body: prepared(async ({ unconfirmed }) => ({ type: 'signup', email: await unconfirmed() })),
    gets: 200,
    shows: quiet,
  },
  {
    name: 'does not reveal that a phone is unknown',
    on: 'phones',
    call: 'POST /resend',
    body: { type: 'sms', phone: '+15550107403' },
    gets: 200,
    shows: quiet,
  },
  {
    name: 'is refused when addresses are off',
    on: 'dark',
    call: 'POST /resend',
    body: { type: 'signup', email: 'buyer@example.com' },
    gets: 400,
    code: 'email_provider_disabled',
    says: 'Email logins are disabled',
  },
  {
    name: 'is refused when phones are off',
    on: 'confirming',
    call: 'POST /resend',
    body: { type: 'sms', phone: '+15550107404' },
    gets: 400,
    code: 'phone_provider_disabled',
    says: 'Phone logins are disabled',
  },
  {
    name: 'waits between two mails, for unknown and known addresses alike',
    on: 'confirming',
    call: 'POST /resend',
    body: prepared(async ({ server }) => {
      const body = { type: 'signup', email: newEmail() }
      await post(server, '/resend', body)
      return body
    }),
    gets: 429,
    code: 'over_email_send_rate_limit',
  },
]

export const recoverRows: WireRow[] = [
  {
    name: 'does not reveal that an address is unknown',
    on: 'confirming',
    call: 'POST /recover',
    body: prepared(() => ({ email: newEmail(), code_challenge: null, code_challenge_method: null })),
    gets: 200,
    shows: quiet,
  },
  {
    name: 'does not reveal that an address is known',
    on: 'confirming',
    call: 'POST /recover',
    body: prepared(async ({ person }) => ({ email: (await person()).email })),
    gets: 200,
    shows: quiet,
  },
  ...[{}, { email: '' }, { phone: '+15550107501' }].map((body): WireRow => ({
    name: `needs an address, not ${JSON.stringify(body)}`,
    call: 'POST /recover',
    body,
    gets: 400,
    code: 'validation_failed',
    says: 'Password recovery requires an email',
  })),
  {
    name: 'refuses an invalid address',
    call: 'POST /recover',
    body: { email: 'no address' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'refuses an address that is followed by a header',
    call: 'POST /recover',
    body: { email: 'buyer@example.com\nBcc: all@example.com' },
    gets: 400,
    code: 'validation_failed',
  },
  {
    name: 'is refused when addresses are off',
    on: 'dark',
    call: 'POST /recover',
    body: { email: 'buyer@example.com' },
    gets: 400,
    code: 'email_provider_disabled',
    says: 'Email logins are disabled',
  },
  {
    name: 'needs both members of PKCE',
    call: 'POST /recover',
    body: { email: 'buyer@example.com', code_challenge_method: 'plain' },
    gets: 400,
    code: 'validation_failed',
    says: 'PKCE flow requires code_challenge_method and code_challenge',
  },
  ...['known', 'unknown'].map((which): WireRow => ({
    name: `waits a minute between two mails to an ${which} address`,
    on: 'confirming',
    call: 'POST /recover',
    body: prepared(async ({ person, server }) => {
      const body = { email: which === 'known' ? (await person()).email : newEmail() }
      await post(server, '/recover', body)
      return body
    }),
    gets: 429,
    code: 'over_email_send_rate_limit',
  })),
]
