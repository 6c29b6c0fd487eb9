import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '#server/identity/authenticate.ts'
import { authorise } from '#server/identity/authorise.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { claimsOf, forgeAt, signAt } from './forge-token.ts'
import {
  call,
  NEW_VERSION,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

function getUser(token: string, headers: Record<string, string> = NEW_VERSION) {
  return call(server, '/user', { headers: { Authorization: `Bearer ${token}`, ...headers } })
}

describe('the access token', () => {
  it('is verified by the client with the published keys', async () => {
    const { client, user, email } = await signUpSomeone(server)
    const { data, error } = await client.getClaims()
    expect(error).toBeNull()
    expect(data?.header).toMatchObject({ alg: 'ES256', kid: server.context.identity.keys.signing.kid })
    expect(data?.claims).toMatchObject({
      iss: server.url,
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) as number }],
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
    expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(3600)
  })

  it('is signed with a key whose private part is never published', async () => {
    const { body, headers } = await call(server, '/.well-known/jwks.json')
    expect(headers.get('Cache-Control')).toBe('public, max-age=600')
    expect(body.keys).toHaveLength(1)
    expect(Object.keys(body.keys?.[0] ?? {}).toSorted()).toEqual([
      'alg',
      'crv',
      'key_ops',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ])
  })

  it('opens /user', async () => {
    const { client, user } = await signUpSomeone(server)
    const { data, error } = await client.getUser()
    expect(error).toBeNull()
    expect(data.user).toEqual(user)
  })
})

describe('an invalid token', () => {
  it.each(['wrong key', 'alg none', 'HS256 with the public key', 'expired', 'other issuer', 'cut'])(
    'is refused: %s',
    async (fault) => {
      const { session } = await signUpSomeone(server)
      const forged = await forgeAt(server, fault, session.access_token)
      const { status, body } = await getUser(forged)
      expect(status).toBe(403)
      expect(body.code).toBe('bad_jwt')
      expect(body.message).toMatch(/^invalid JWT: unable to parse or verify signature, /)
      await expect(authenticate(server.context, `Bearer ${forged}`)).rejects.toMatchObject({
        code: 'invalid_token',
        status: 401,
      })
    },
  )

  it('is refused: other audience', async () => {
    const { session } = await signUpSomeone(server)
    const forged = await forgeAt(server, 'other audience', session.access_token)
    const { status, body } = await getUser(forged)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: "Token audience doesn't match request audience",
    })
    await expect(authenticate(server.context, `Bearer ${forged}`)).rejects.toMatchObject({
      code: 'invalid_token',
      status: 401,
    })
  })

  it.each([
    ['no subject', { sub: undefined }, 403, 'bad_jwt', 'invalid claim: missing sub claim'],
    [
      'a subject that is no UUID',
      { sub: '1234567890' },
      400,
      'bad_jwt',
      'invalid claim: sub claim must be a UUID',
    ],
    [
      'an unknown user',
      { sub: '00000000-0000-4000-8000-000000000000' },
      403,
      'user_not_found',
      'User from sub claim in JWT does not exist',
    ],
    [
      'no session',
      { session_id: undefined },
      403,
      'session_not_found',
      'Session from session_id claim in JWT does not exist',
    ],
  ])('is refused: %s', async (_what, change, status, code, message) => {
    const { session } = await signUpSomeone(server)
    const token = await signAt(server, Object.assign(claimsOf(session.access_token), change))
    const answer = await getUser(token)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, message })
  })

  it("is refused: another user's session", async () => {
    const one = await signUpSomeone(server)
    const other = await signUpSomeone(server)
    const mixed = {
      ...claimsOf(one.session.access_token),
      session_id: claimsOf(other.session.access_token)['session_id'],
    }
    expect((await getUser(await signAt(server, mixed))).body.code).toBe('session_not_found')
  })

  it('is refused: no token', async () => {
    const { status, body } = await call(server, '/user', { headers: NEW_VERSION })
    expect(status).toBe(401)
    expect(body).toMatchObject({
      code: 'no_authorization',
      message: 'This endpoint requires a valid Bearer token',
    })
    await expect(authenticate(server.context, undefined)).rejects.toMatchObject({
      code: 'unauthenticated',
      status: 401,
    })
  })
})

describe('sign-out', () => {
  async function twoSessions() {
    const first = await signUpSomeone(server)
    const second = server.newClient()
    const { data } = await second.signInWithPassword({ email: first.email, password: PASSWORD })
    const tokens = [first.session.access_token, data.session?.access_token ?? ''] as const
    return { client: first.client, tokens }
  }

  it.each([
    ['global', [403, 403]],
    ['local', [403, 200]],
    ['others', [200, 403]],
  ] as const)('with the scope %s ends exactly these sessions, at once', async (scope, expected) => {
    const { client, tokens } = await twoSessions()
    expect((await client.signOut({ scope })).error).toBeNull()
    const statuses = await Promise.all(tokens.map(async (token) => (await getUser(token)).status))
    expect(statuses).toEqual(expected)
  })

  it('answers 204, and is global unless told otherwise', async () => {
    const { tokens } = await twoSessions()
    const answer = await post(server, '/logout', '', { Authorization: `Bearer ${tokens[0]}` })
    expect(answer.status).toBe(204)
    expect((await getUser(tokens[1])).body.code).toBe('session_not_found')
  })

  it('also ends the refresh token', async () => {
    const { client, session } = await signUpSomeone(server)
    await client.signOut({ scope: 'local' })
    const { error } = await server.newClient().refreshSession({ refresh_token: session.refresh_token })
    expect(error?.code).toBe('refresh_token_not_found')
  })

  it('from ten sessions that end each other leaves at most one, and none waits for ever', async () => {
    const { email, session, user } = await signUpSomeone(server)
    const tokens = [session.access_token]
    while (tokens.length < 10) {
      const { data } = await server.newClient().signInWithPassword({ email, password: PASSWORD })
      tokens.push(data.session?.access_token ?? '')
    }
    const answers = await Promise.all(
      tokens.map((token) => post(server, '/logout?scope=others', '', { Authorization: `Bearer ${token}` })),
    )
    expect(answers.filter(({ status }) => status !== 204 && status !== 403)).toEqual([])
    const left = await server.context.db
      .selectFrom('auth.sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .execute()
    expect(left.length).toBeLessThanOrEqual(1)
  })

  it('refuses an unknown scope', async () => {
    const { session } = await signUpSomeone(server)
    const headers = { Authorization: `Bearer ${session.access_token}`, ...NEW_VERSION }
    const { status, body } = await post(server, '/logout?scope=world', '', headers)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', message: 'Unsupported logout scope "world"' })
  })
})

describe('authenticate', () => {
  it('reads the role from the database, not from the token', async () => {
    const { session, user, email } = await signUpSomeone(server)
    const bearer = `Bearer ${await signAt(server, { ...claimsOf(session.access_token), role: 'admin' })}`
    const session_id = claimsOf(session.access_token)['session_id']
    const principal = await authenticate(server.context, bearer)
    expect(principal).toEqual({
      user_id: user.id,
      person_id: user.id,
      account_id: user.id,
      member_role: 'owner',
      session_id,
      aal: 'aal1',
      role: 'client',
      admin_role: null,
      email,
      owes_factor: false,
      is_anonymous: false,
      is_approved: false,
    })
    await expect(authorise(server.context, 'admin', bearer)).rejects.toMatchObject({
      code: 'forbidden',
      status: 403,
    })

    await server.context.db
      .updateTable('profiles')
      .set({ role: 'admin' })
      .where('user_id', '=', user.id)
      .execute()
    expect(await authorise(server.context, 'admin', bearer)).toMatchObject({ role: 'admin' })
  })

  it('refuses a suspended, a banned and a deleted account at once', async () => {
    const { db } = server.context
    const tomorrow = new Date(Date.now() + 86_400_000)
    const ends = {
      forbidden: async (id: string) => {
        await db.updateTable('profiles').set({ status: 'suspended' }).where('user_id', '=', id).execute()
      },
      'forbidden ': async (id: string) => {
        await db.updateTable('auth.users').set({ banned_until: tomorrow }).where('id', '=', id).execute()
      },
      invalid_token: async (id: string) => {
        await db.updateTable('auth.users').set({ deleted_at: new Date() }).where('id', '=', id).execute()
      },
      'invalid_token ': async (id: string) => {
        await db.deleteFrom('auth.users').where('id', '=', id).execute()
      },
    }
    for (const [code, end] of Object.entries(ends)) {
      const { session, user } = await signUpSomeone(server)
      await authenticate(server.context, `Bearer ${session.access_token}`)
      await end(user.id)
      await expect(authenticate(server.context, `Bearer ${session.access_token}`)).rejects.toMatchObject({
        code: code.trim(),
      })
      expect((await getUser(session.access_token)).status).toBe(403)
    }
  })
})
