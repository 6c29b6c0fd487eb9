import { randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { issuerOf } from '#server/identity/access-token.ts'
import { describeSession } from '#server/accounts/sessions/describe-session.ts'
import { hashPassword } from '#server/accounts/passwords/hash-password.ts'
import { createAccount } from '#server/accounts/sign-up/create-account.ts'
import { startSession } from '#server/accounts/sessions/start-session.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, post, startAuthServer, type AuthServer } from './start-auth-server.ts'

const CALLER = { ip: '127.0.0.1', network: '127.0.0.1', user_agent: 'wire-table' }

/** Servers of the table, each with its own policy. */
export const POLICIES = {
  /** everything is on, and nothing must be confirmed */
  open: {
    AUTH_PHONE_ENABLED: '1',
    AUTH_PHONE_AUTOCONFIRM: '1',
    AUTH_ANONYMOUS_USERS: '1',
    AUTH_MANUAL_LINKING: '1',
    AUTH_RATE_GAP_SECONDS: '0',
    AUTH_WEB3_SOLANA: '1',
    AUTH_WEB3_ETHEREUM: '1',
    AUTH_REDIRECT_ALLOW_LIST: 'https://app.example.com/**,https://*.preview.example.com',
    AUTH_PROVIDERS: JSON.stringify({ google: { client_id: 'leadwire', client_secret: 'not-a-secret' } }),
  },
  /** the product's defaults: addresses are confirmed */
  confirming: { AUTH_EMAIL_AUTOCONFIRM: '0' },
  /** phones are confirmed too; the message provider is unreachable */
  phones: {
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_PHONE_ENABLED: '1',
    AUTH_SMS_PROVIDER: 'twilio',
    AUTH_SMS_ACCOUNT: 'account',
    AUTH_SMS_TOKEN: 'token',
    AUTH_SMS_FROM: '+15550100000',
    AUTH_SMS_URL: 'http://127.0.0.1:1',
  },
  /** nobody new may sign up */
  closed: { AUTH_SIGNUP_DISABLED: '1', AUTH_PHONE_ENABLED: '1', AUTH_ANONYMOUS_USERS: '1' },
  /** wallets of one chain only */
  solana: { AUTH_WEB3_SOLANA: '1' },
  /** every way to sign in is off */
  dark: { AUTH_EMAIL_ENABLED: '0', AUTH_PHONE_ENABLED: '0', AUTH_MFA_TOTP: '0' },
} satisfies Record<string, Record<string, string>>
export type Policy = keyof typeof POLICIES

export interface Person {
  id: string
  email: string
  access_token: string
  refresh_token: string
}

export type Bearer = keyof ReturnType<typeof bearers>
export type Id =
  | 'uuid'
  | 'user'
  | 'second'
  | 'factor'
  | 'verifiedFactor'
  | 'secondFactor'
  | 'doomed'
  | 'identity'

/** The state that rows use: users in every state, created when a row first asks for them. */
export interface World {
  server: AuthServer
  bearer: (name: Bearer) => Promise<string>
  id: (name: Id) => Promise<string>
  /** a user that no other row knows, confirmed and signed in, with {@link PASSWORD} */
  person: () => Promise<Person>
  /** the address of an account that was never confirmed */
  unconfirmed: () => Promise<string>
  /** changes columns of an account, for states that only time or an administrator causes */
  change: (userId: string, columns: { banned_until?: Date; deleted_at?: Date }) => Promise<void>
}

export async function openWorld(policy: Policy): Promise<World & { close: () => Promise<void> }> {
  const server = await startAuthServer({ ...POLICIES[policy] })
  const { db } = server.context
  const password_hash = await hashPassword(PASSWORD, server.context.config.auth.password.hashCost)

  const account = async (isConfirmed: boolean) => {
    const email = newEmail()
    const account = { email, password_hash, role: 'client' as const, data: {}, isConfirmed }
    const id = await db.transaction().execute((trx) => createAccount(trx, account))
    if (id === undefined) throw new Error('the address is taken')
    return { id, email }
  }
  const person = async (): Promise<Person> => {
    const { id, email } = await account(true)
    const live = await db
      .transaction()
      .execute((trx) => startSession(trx, id, { method: 'password' }, CALLER))
    const { access_token, refresh_token } = await describeSession(server.context, live)
    return { id, email, access_token, refresh_token }
  }
  const world = {
    server,
    person,
    unconfirmed: async () => (await account(false)).email,
    change: async (userId: string, columns: { banned_until?: Date; deleted_at?: Date }) => {
      await db.updateTable('auth.users').set(columns).where('id', '=', userId).execute()
    },
  }
  const people = { user: once(person), second: once(person) }
  const tokens = bearers(world, people)
  const factors = {
    factor: once(async () => (await enroll(world, await people.user())).id),
    secondFactor: once(async () => (await enroll(world, await people.second())).id),
    verifiedFactor: once(async () => (await tokens.guardedPerson()).factorId),
  }
  const ids: Record<Id, () => Promise<string>> = {
    uuid: () => Promise.resolve(randomUUID()),
    user: async () => (await people.user()).id,
    second: async () => (await people.second()).id,
    doomed: async () => (await person()).id,
    identity: async () => await identityOf(world, (await people.second()).id),
    ...factors,
  }
  return {
    ...world,
    bearer: async (name) => {
      const made = await tokens[name]()
      return typeof made === 'string' ? made : made.access_token
    },
    id: (name) => ids[name](),
    close: server.close,
  }
}

type Base = Pick<World, 'server' | 'person' | 'change' | 'unconfirmed'>

/** Tokens that rows send: valid ones and every kind of invalid one. */
function bearers(world: Base, people: { user: () => Promise<Person>; second: () => Promise<Person> }) {
  const { server, person } = world
  const { db } = server.context
  const issuer = issuerOf(server.context)
  const good = async (): Promise<JWTPayload> => {
    const { id } = await people.user()
    const now = Math.floor(Date.now() / 1000)
    return { iss: issuer, aud: 'authenticated', role: 'authenticated', sub: id, iat: now, exp: now + 600 }
  }
  const signed = (payload: JWTPayload) => sign(server, payload)
  const endless = 4_102_444_800
  const guardedPerson = once(async () => {
    const someone = await person()
    const { id, secret } = await enroll(world, someone)
    const raised = await verifyTotp(world, someone, id, secret)
    const { data } = await server.newClient().signInWithPassword({ email: someone.email, password: PASSWORD })
    if (data.session === null) throw new Error('the guarded person cannot sign in')
    return { ...someone, factorId: id, access_token: data.session.access_token, raised }
  })
  return {
    ...people,
    /** of a session at aal1 although a factor is verified */
    guarded: once(async () => (await guardedPerson()).access_token),
    guardedPerson,
    /** of the same user's session at aal2 */
    raised: once(async () => (await guardedPerson()).raised),
    anonymous: once(async () => {
      const { body } = await post(server, '/signup', {})
      return body.access_token ?? ''
    }),
    service: once(() => signed({ role: 'service_role', iss: 'leadwire', exp: endless })),
    /** as programs of other products have it: without expiry, subject or issuer */
    bareService: once(() => signed({ role: 'supabase_admin' })),
    serviceWithSubject: once(() => signed({ role: 'service_role', sub: '1234567890', exp: endless })),
    anonKey: once(() => signed({ role: 'anon', iss: 'leadwire', exp: endless })),
    banned: once(async () => {
      const someone = await person()
      await world.change(someone.id, { banned_until: new Date(endless * 1000) })
      return someone
    }),
    deleted: once(async () => {
      const someone = await person()
      await db.deleteFrom('profiles').where('user_id', '=', someone.id).execute()
      await db.deleteFrom('auth.users').where('id', '=', someone.id).execute()
      return someone
    }),
    erased: once(async () => {
      const someone = await person()
      await world.change(someone.id, { deleted_at: new Date() })
      return someone
    }),
    signedOut: once(async () => {
      const someone = await person()
      await db.deleteFrom('auth.sessions').where('user_id', '=', someone.id).execute()
      return someone
    }),
    withoutSession: once(async () => await signed(await good())),
    expired: once(async () => await signed({ ...(await good()), exp: 1_700_000_000 })),
    endless: once(async () => {
      const { exp: _exp, ...claims } = await good()
      return await signed(claims)
    }),
    withoutSubject: once(async () => {
      const { sub: _sub, ...claims } = await good()
      return await signed(claims)
    }),
    oddSubject: once(async () => await signed({ ...(await good()), sub: '1234567890' })),
    unknownSubject: once(async () => await signed({ ...(await good()), sub: randomUUID() })),
    otherAudience: once(async () => await signed({ ...(await good()), aud: 'another-service' })),
    otherIssuer: once(async () => await signed({ ...(await good()), iss: 'https://accounts.example.com' })),
    unsigned: once(async () => new UnsecuredJWT(await good()).encode()),
    unsignedService: once(() => Promise.resolve(new UnsecuredJWT({ role: 'service_role' }).encode())),
    foreign: once(async () => {
      const { privateKey } = await generateKeyPair('ES256')
      return await signWith(privateKey, 'ES256', await good())
    }),
    foreignService: once(async () => {
      const { privateKey } = await generateKeyPair('ES256')
      return await signWith(privateKey, 'ES256', { role: 'service_role', exp: endless })
    }),
    /** the public key used as a shared secret */
    confused: once(async () => {
      const { publicJwk } = server.context.identity.keys.signing
      const secret = Buffer.from(JSON.stringify(publicJwk))
      return await signWith(secret, 'HS256', { ...(await good()), role: 'service_role' })
    }),
    tampered: once(async () => {
      const { access_token } = await people.user()
      const [head = '', , signature = ''] = access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ ...(await good()), role: 'service_role' }))
      return `${head}.${claims.toString('base64url')}.${signature}`
    }),
    garbage: once(() => Promise.resolve('not.a.token')),
    publishable: once(() => Promise.resolve('sb_publishable_2Zq8dVxkP1')),
  }
}

export async function sign(server: AuthServer, payload: JWTPayload): Promise<string> {
  const { signing } = server.context.identity.keys
  return await signWith(signing.privateKey, signing.alg, payload, signing.kid)
}

async function signWith(key: Parameters<SignJWT['sign']>[0], alg: string, payload: JWTPayload, kid?: string) {
  return await new SignJWT(payload)
    .setProtectedHeader({ alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .sign(key)
}

async function enroll({ server }: Base, someone: Person): Promise<{ id: string; secret: string }> {
  const client = server.newClient()
  await client.setSession(someone)
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone on the desk' })
  if (error !== null) throw error
  return { id: data.id, secret: data.totp.secret }
}

async function verifyTotp({ server }: Base, someone: Person, factorId: string, secret: string) {
  const client = server.newClient()
  await client.setSession(someone)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { data, error } = await client.mfa.challengeAndVerify({ factorId, code })
  if (error !== null) throw error
  return data.access_token
}

async function identityOf({ server }: Base, userId: string): Promise<string> {
  const { id } = await server.context.db
    .selectFrom('auth.identities')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return id
}

/** Makes the value at the first call and returns the same one afterwards. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
