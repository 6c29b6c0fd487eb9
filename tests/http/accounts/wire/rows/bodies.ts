import type { WireRow } from '../wire-row.ts'
import type { Bearer } from '../wire-world.ts'

interface BodyCall {
  call: WireRow['call']
  as?: Bearer
  /** a member that must be text */
  text: string
  /** the answer to an empty body */
  empty: Pick<WireRow, 'gets' | 'code' | 'says' | 'oauthError'>
}

const invalid = (says?: string | RegExp): BodyCall['empty'] => ({
  gets: 400,
  code: 'validation_failed',
  ...(says === undefined ? {} : { says }),
})

/** Every call that reads a body. */
export const BODY_CALLS: BodyCall[] = [
  { call: 'POST /signup', text: 'email', empty: { gets: 200 } },
  { call: 'POST /token?grant_type=password', text: 'email', empty: invalid('missing email or phone') },
  { call: 'POST /token?grant_type=refresh_token', text: 'refresh_token', empty: { gets: 400 } },
  {
    call: 'POST /token?grant_type=pkce',
    text: 'auth_code',
    empty: invalid('invalid request: both auth code and code verifier should be non-empty'),
  },
  { call: 'POST /token?grant_type=id_token', text: 'id_token', empty: { gets: 400 } },
  {
    call: 'POST /token?grant_type=web3',
    text: 'message',
    empty: { gets: 400, code: 'web3_unsupported_chain', says: 'Unsupported chain' },
  },
  { call: 'POST /otp', text: 'email', empty: invalid('One of email or phone must be set') },
  { call: 'POST /magiclink', text: 'email', empty: invalid() },
  { call: 'POST /verify', text: 'token', empty: invalid('Verify requires a verification type') },
  {
    call: 'POST /resend',
    text: 'email',
    empty: invalid('Missing one of these types: signup, email_change, sms, phone_change'),
  },
  { call: 'POST /recover', text: 'email', empty: invalid('Password recovery requires an email') },
  { call: 'PUT /user', as: 'user', text: 'password', empty: { gets: 200 } },
  { call: 'POST /factors', as: 'user', text: 'factor_type', empty: invalid() },
  {
    call: 'POST /factors/{factor}/verify',
    as: 'user',
    text: 'code',
    empty: invalid('Code needs to be non-empty'),
  },
  { call: 'POST /invite', as: 'service', text: 'email', empty: invalid() },
  { call: 'POST /admin/generate_link', as: 'service', text: 'email', empty: invalid() },
  {
    call: 'POST /admin/users',
    as: 'service',
    text: 'email',
    empty: invalid('Cannot create a user without either an email or phone'),
  },
  { call: 'PUT /admin/users/{doomed}', as: 'service', text: 'email', empty: { gets: 200 } },
]

const UNREADABLE = { gets: 400, code: 'bad_json', says: /^Could not parse request body as JSON: ./ }
const MEBIBYTE = 1_048_576
const filled = (bytes: number) => `{"ignored":"${'x'.repeat(bytes - 14)}"}`

const MALFORMED = {
  'a broken object': '{"email":',
  'two objects': '{}{}',
  'a list': '[]',
  'a text': '"buyer@example.com"',
  'a number': '7',
  'bare words': 'email=buyer@example.com&password=x',
  'a trailing comma': '{"email":"buyer@example.com",}',
  'members that no account could keep': `{${Array.from({ length: 11_000 }, (_member, at) => `"m${at}":1`).join(',')}}`,
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
}
const WRONG_TYPES = [7, true, ['x'], { x: 1 }]

export const bodyRows: WireRow[] = BODY_CALLS.flatMap(({ call, as, text, empty }): WireRow[] => {
  const common = as === undefined ? { call } : { call, as }
  return [
    ...Object.entries(MALFORMED).map(([what, body]): WireRow => ({
      ...common,
      name: `refuses ${what.replace(/^an? /, '')}`,
      body,
      ...UNREADABLE,
    })),
    ...WRONG_TYPES.map((value): WireRow => ({
      ...common,
      name: `refuses ${JSON.stringify(value)} as ${text}`,
      body: { [text]: value },
      ...UNREADABLE,
    })),
    { ...common, name: 'takes an empty body for an empty object', body: '', ...empty },
    { ...common, name: 'takes null for an absent member', body: { [text]: null }, ...empty },
    {
      ...common,
      name: 'ignores unknown members',
      body: { options: {}, factorId: 'x', '': 1 },
      ...empty,
    },
    {
      ...common,
      name: 'accepts JSON under any media type',
      body: '{}',
      headers: { 'Content-Type': 'text/plain' },
      ...empty,
    },
    { ...common, name: 'reads a body of 1 MiB', body: filled(MEBIBYTE), ...empty },
    {
      ...common,
      name: 'reads no further byte',
      body: filled(MEBIBYTE + 1),
      gets: 413,
      code: 'request_entity_too_large',
      says: 'Request body too large (max 1048576 bytes)',
    },
  ]
})

/** Calls that read no body must not fail because of one. */
export const unreadBodyRows: WireRow[] = [
  {
    name: 'ignores an invalid body',
    call: 'POST /logout?scope=others',
    as: 'second',
    body: '{"broken',
    gets: 204,
  },
]
