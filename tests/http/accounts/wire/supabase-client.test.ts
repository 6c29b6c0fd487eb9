import { createClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, startAuthServer, type AuthServer } from './start-auth-server.ts'
import { sign } from './wire-world.ts'

let server: AuthServer
let anonKey: string
beforeAll(async () => {
  server = await startAuthServer()
  anonKey = await sign(server, { role: 'anon', iss: 'leadwire', exp: 4_102_444_800 })
})
afterAll(() => server.close())

/** The whole unmodified client, and the `apikey` and bearer of each of its requests. */
function openClient(key: string) {
  const sent: { call: string; apikey: string | null; bearer: string | null }[] = []
  const client = createClient(new URL(server.url).origin, key, {
    auth: { autoRefreshToken: false, persistSession: false },
    global: {
      fetch: (input, init) => {
        const request = new Request(input, init)
        const { headers, method, url } = request
        sent.push({
          call: `${method} ${new URL(url).pathname}`,
          apikey: headers.get('apikey'),
          bearer: headers.get('Authorization'),
        })
        return fetch(request)
      },
    },
  })
  return { auth: client.auth, sent }
}

describe.each(['a public key that is a token', 'a public key that is none'])(
  'supabase-js with %s',
  (which) => {
    it('signs up, signs in and out, refreshes and changes the account', async () => {
      const key = which.endsWith('none') ? 'sb_publishable_2Zq8dVxkP1' : anonKey
      const { auth, sent } = openClient(key)
      const credentials = { email: newEmail(), password: PASSWORD }

      const signedUp = await auth.signUp(credentials)
      expect(signedUp.error).toBeNull()
      expect(signedUp.data.session?.user.email).toBe(credentials.email)

      const signedIn = await auth.signInWithPassword(credentials)
      expect(signedIn.error).toBeNull()
      const first = signedIn.data.session
      expect(sent.every(({ apikey }) => apikey === key)).toBe(true)

      const refreshed = await auth.refreshSession()
      expect(refreshed.error).toBeNull()
      const second = refreshed.data.session
      expect(second?.refresh_token).not.toBe(first?.refresh_token)
      expect(sessionOf(second?.access_token)).toBe(sessionOf(first?.access_token))

      const got = await auth.getUser()
      expect(got.data.user?.id).toBe(signedUp.data.user?.id)
      const updated = await auth.updateUser({ data: { colour: 'teal' } })
      expect(updated.error).toBeNull()
      expect(updated.data.user?.user_metadata).toMatchObject({ colour: 'teal' })
      const claims = await auth.getClaims()
      expect(claims.data?.claims.sub).toBe(signedUp.data.user?.id)

      expect((await auth.signOut()).error).toBeNull()
      expect((await auth.getSession()).data.session).toBeNull()
      const old = await auth.getUser(second?.access_token)
      expect(old.error).toMatchObject({ name: 'AuthSessionMissingError' })

      // The key is sent with every call; without a session it is the bearer too.
      expect(sent.every(({ apikey }) => apikey === key)).toBe(true)
      expect(sent.find(({ call }) => call === 'POST /auth/v1/signup')?.bearer).toBe(`Bearer ${key}`)
      expect(sent.find(({ call }) => call === 'PUT /auth/v1/user')?.bearer).toBe(
        `Bearer ${second?.access_token}`,
      )
    })

    it('reports a wrong password and a taken address by their codes', async () => {
      const { auth } = openClient(which.endsWith('none') ? 'sb_publishable_2Zq8dVxkP1' : anonKey)
      const email = newEmail()
      await auth.signUp({ email, password: PASSWORD })
      const again = await auth.signUp({ email, password: PASSWORD })
      expect(again.error).toMatchObject({ status: 422, code: 'user_already_exists' })
      const wrong = await auth.signInWithPassword({ email, password: 'Wrong-Lantern-58' })
      expect(wrong.error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      })
    })
  },
)

it('a public key counts as no user', async () => {
  const { auth } = openClient(anonKey)
  const { error } = await auth.getUser(anonKey)
  expect(error).toMatchObject({ status: 403, code: 'bad_jwt', message: 'invalid claim: missing sub claim' })
  const admin = await openClient(anonKey).auth.admin.listUsers()
  expect(admin.error).toMatchObject({ status: 403, code: 'not_admin' })
})

function sessionOf(token = ''): unknown {
  return decodeJwt(token)['session_id']
}
