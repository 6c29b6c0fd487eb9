import { randomBytes } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { PASSWORD } from '#tests/support/given/password.ts'
import { expectSession } from '../expect-wire.ts'
import { post } from '../start-auth-server.ts'
import { prepared, type WireRow } from '../wire-row.ts'

const CALL = 'POST /token?grant_type'

export const otherGrantRows: WireRow[] = [
  ...['', '=', '=client_credentials', '=PASSWORD', '=password&grant_type=refresh_token', '=__proto__'].map(
    (query): WireRow => ({
      name: `refuses the grant "${query.replace('=', '')}"`,
      call: `${CALL}${query}`,
      body: { email: 'buyer@example.com', password: PASSWORD },
      gets: 400,
      code: 'invalid_credentials',
      says: 'unsupported_grant_type',
    }),
  ),
  {
    name: 'exchanges a refresh token for a new session',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person }) => ({ refresh_token: (await person()).refresh_token })),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'gives the same answer to a token that is used again within the interval',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person, server }) => {
      const { refresh_token } = await person()
      await post(server, '/token?grant_type=refresh_token', { refresh_token })
      return { refresh_token }
    }),
    gets: 200,
    shows: expectSession,
  },
  {
    name: 'refuses an unknown token',
    call: `${CALL}=refresh_token`,
    body: { refresh_token: 'invalid-refresh-token' },
    gets: 400,
    says: /Invalid Refresh Token|Refresh token is not valid/,
  },
  {
    name: 'refuses a well-formed token that was never issued',
    call: `${CALL}=refresh_token`,
    body: prepared(() => ({ refresh_token: randomBytes(24).toString('base64url') })),
    gets: 400,
    code: 'refresh_token_not_found',
    says: 'Invalid Refresh Token: Refresh Token Not Found',
  },
  {
    name: 'refuses a missing token',
    call: `${CALL}=refresh_token`,
    body: {},
    gets: 400,
    says: /refresh token/i,
  },
  {
    name: 'refuses an access token in place of a refresh token',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person }) => ({ refresh_token: (await person()).access_token })),
    gets: 400,
    says: /Invalid Refresh Token|Refresh token is not valid/,
  },
  {
    name: 'refuses the token of a session that was ended',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person, server }) => {
      const { refresh_token, access_token } = await person()
      await post(server, '/logout', {}, { Authorization: `Bearer ${access_token}` })
      return { refresh_token }
    }),
    gets: 400,
    code: 'refresh_token_not_found',
    says: 'Invalid Refresh Token: Refresh Token Not Found',
  },
  {
    name: 'refuses to refresh for a banned user',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person, change }) => {
      const { id, refresh_token } = await person()
      await change(id, { banned_until: new Date('2100-01-01') })
      return { refresh_token }
    }),
    gets: 400,
    code: 'user_banned',
    says: 'Invalid Refresh Token: User Banned',
  },
  {
    name: 'refuses to refresh a session that was inactive for half an hour',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person, server }) => {
      const { id, refresh_token } = await person()
      await server.context.db
        .updateTable('auth.sessions')
        .set({ last_active_at: new Date(Date.now() - 1_801_000) })
        .where('user_id', '=', id)
        .execute()
      return { refresh_token }
    }),
    gets: 400,
    code: 'session_expired',
    says: 'Invalid Refresh Token: Session Expired (Inactivity)',
  },
  {
    name: 'ends the session whose old token is used again later',
    call: `${CALL}=refresh_token`,
    body: prepared(async ({ person, server }) => {
      const { refresh_token } = await person()
      const path = '/token?grant_type=refresh_token'
      const { body } = await post(server, path, { refresh_token })
      await post(server, path, { refresh_token: body.refresh_token })
      await server.context.db
        .updateTable('auth.refresh_tokens')
        .set({ replaced_at: new Date(Date.now() - 60_000) })
        .where('replaced_at', 'is not', null)
        .execute()
      return { refresh_token }
    }),
    gets: 400,
    code: 'refresh_token_already_used',
    says: 'Invalid Refresh Token: Already Used',
  },
  ...[{}, { auth_code: 'c' }, { code_verifier: 'v' }, { auth_code: '', code_verifier: '' }].map(
    (body): WireRow => ({
      name: `needs a code and its verifier, not ${JSON.stringify(body)}`,
      call: `${CALL}=pkce`,
      body,
      gets: 400,
      code: 'validation_failed',
      says: 'invalid request: both auth code and code verifier should be non-empty',
    }),
  ),
  ...['5f0c1e52-4f0e-4f57-9c7c-1f3c3c1f5f10', 'no-such-code', '../../admin'].map((auth_code): WireRow => ({
    name: `finds no flow for the code ${auth_code}`,
    call: `${CALL}=pkce`,
    body: { auth_code, code_verifier: 'v'.repeat(112) },
    gets: 404,
    code: 'flow_state_not_found',
    says: 'invalid flow state, no valid flow state found',
  })),
  {
    name: 'needs an id token',
    call: `${CALL}=id_token`,
    body: { provider: 'google' },
    gets: 400,
    oauthError: 'invalid request',
    says: /id_token required/,
  },
  {
    name: 'refuses an invalid id token',
    call: `${CALL}=id_token`,
    body: { provider: 'google', id_token: 'not-a-token' },
    gets: 400,
    oauthError: 'invalid request',
    says: /^Bad ID token/,
  },
  {
    name: 'refuses a provider that is not configured',
    call: `${CALL}=id_token`,
    body: { provider: 'custom:elsewhere', id_token: 'a.b.c' },
    gets: 400,
    says: /Custom OIDC provider "custom:elsewhere" not allowed/,
  },
  ...Object.entries({
    apple: 'https://appleid.apple.com',
    azure: 'https://login.microsoftonline.com/common/v2.0',
    facebook: 'https://www.facebook.com',
    kakao: 'https://kauth.kakao.com',
  }).flatMap(([provider, issuer]): WireRow[] =>
    ['a.b.c', new UnsecuredJWT({ iss: 'https://id.example.com' }).encode()].map((id_token): WireRow => ({
      name: `reports that ${provider} is off, by its own issuer (token of ${id_token.length} characters)`,
      call: `${CALL}=id_token`,
      body: { provider, id_token },
      gets: 400,
      code: 'provider_disabled',
      says: `Provider (issuer "${issuer}") is not enabled`,
    })),
  ),
  ...['bitcoin', ''].map((chain): WireRow => ({
    name: `refuses the chain "${chain}"`,
    call: `${CALL}=web3`,
    body: { chain, message: 'm', signature: 's' },
    gets: 400,
    code: 'web3_unsupported_chain',
    says: 'Unsupported chain',
  })),
  ...[
    { chain: 'solana', message: 'm'.repeat(64), signature: 's' },
    { chain: 'ethereum', message: 'm'.repeat(64), signature: 's' },
    { chain: 'bitcoin' },
    { chain: 7 },
    '{"broken',
    'x'.repeat(1_100_000),
  ].map((body): WireRow => ({
    name: `refuses wallets by default, before it reads ${JSON.stringify(body).slice(0, 30)}`,
    on: 'confirming',
    call: `${CALL}=web3`,
    body,
    gets: 422,
    code: 'web3_provider_disabled',
    says: 'Web3 provider is disabled',
  })),
  {
    name: 'refuses a wallet of a chain that is off while another chain is on',
    on: 'solana',
    call: `${CALL}=web3`,
    body: { chain: 'ethereum', message: 'm'.repeat(64), signature: 's' },
    gets: 422,
    code: 'web3_provider_disabled',
    says: 'Ethereum Web3 provider is disabled',
  },
  {
    name: 'refuses an unknown grant before it reads the body',
    call: `${CALL}=client_credentials`,
    body: 'x'.repeat(1_100_000),
    gets: 400,
    code: 'invalid_credentials',
    says: 'unsupported_grant_type',
  },
  ...[
    ['solana', 'short'],
    ['ethereum', 'short'],
    ['solana', `${'x'.repeat(70)}\n\n\n\n\n\n`],
    ['ethereum', `${'x'.repeat(70)}\n\n\n\n\n\n`],
    ['ethereum', 'x'.repeat(20_481)],
  ].map(([chain = '', message = '']): WireRow => ({
    name: `refuses an invalid message of ${chain} with ${message.length} characters`,
    call: `${CALL}=web3`,
    body: { chain, message, signature: `0x${'0'.repeat(130)}` },
    gets: 400,
    code: 'validation_failed',
  })),
]
