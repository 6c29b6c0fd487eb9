import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startAdministering } from './administer.ts'
import {
  NEW_VERSION,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
let administration: Awaited<ReturnType<typeof startAdministering>>
beforeAll(async () => {
  server = await startAuthServer()
  administration = await startAdministering(server)
})
afterAll(() => server.close())

const KINDS = {
  'a NUL': ['\0', 'Must not contain a NUL character'],
  'half of a character': [
    '\ud800',
    'Must be UTF-8: it holds half of a character, or bytes of another encoding',
  ],
} as const
const refused = (where: string, reason: string) => ({
  status: 400,
  body: {
    code: 'validation_failed',
    message: `The request contains characters that cannot be stored (${where}: ${reason})`,
  },
})

describe.each(Object.entries(KINDS))('%s', (_what, [text, reason]) => {
  it('is refused in stored values of an account, and named', async () => {
    const { session } = await signUpSomeone(server)
    const bearer = { Authorization: `Bearer ${session.access_token}`, ...NEW_VERSION }
    const data = { nested: [{ a: text }] }
    const answers = [
      await post(server, '/signup', { email: newEmail(), password: PASSWORD, data }, NEW_VERSION),
      await post(server, '/otp', { email: newEmail(), data }, NEW_VERSION),
      await administration.send('PUT', `/admin/users/${session.user.id}`, { app_metadata: data }),
      await administration.send('POST', '/admin/users', { email: newEmail(), user_metadata: data }),
      await administration.send('POST', '/invite', { email: newEmail(), data }),
    ]

    expect(answers).toMatchObject(answers.map(() => refused('nested.0.a', reason)))
    const factor = { factor_type: 'totp', friendly_name: text }
    expect(await post(server, '/factors', factor, bearer)).toMatchObject(refused('friendly_name', reason))
  })

  it('in an address is refused, even beside other valid fields', async () => {
    const email = `buyer${text}@example.com`
    const data = { a: text }
    const says = {
      status: 400,
      body: {
        code: 'validation_failed',
        message: 'Unable to validate email address: invalid format',
      },
    }

    expect(await post(server, '/signup', { email, password: PASSWORD, data }, NEW_VERSION)).toMatchObject(
      says,
    )
    expect(await post(server, '/otp', { email, data }, NEW_VERSION)).toMatchObject(says)
    expect(await administration.send('POST', '/invite', { email, data })).toMatchObject(says)
  })
})

it('metadata may have a member with the name of a prototype', async () => {
  const { client } = await signUpSomeone(server)
  const data = JSON.parse('{"__proto__":{"a":1},"constructor":"b"}') as Record<string, unknown>
  const { data: changed } = await client.updateUser({ data })

  expect(JSON.stringify(changed.user?.user_metadata)).toContain('"__proto__":{"a":1}')
  expect(changed.user?.user_metadata).toMatchObject({ constructor: 'b' })
})

it('a long name is cut between two characters, never within one', async () => {
  const name = `${'x'.repeat(199)}😀`
  const user = await administration.createUser({ email: newEmail(), user_metadata: { name } })
  const profile = await server.context.db
    .selectFrom('profiles')
    .select('name')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()

  expect(profile.name).toBe('x'.repeat(199))
})
