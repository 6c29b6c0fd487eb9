import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runScript } from '#scripts/lab/run-script.ts'
import { call, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

/** Runs `npm run grant-admin` as a process of its own. */
const run = async (url: string, args: string[]) => {
  const env = { DATABASE_URL: url }
  const { code, output } = await runScript({ script: 'scripts/grant-admin.ts', args, env })
  return { code, output }
}
const grant = (...args: string[]) => run(server.context.config.database.url, args)
const change = (userId: string, values: object) =>
  server.context.db.updateTable('auth.users').set(values).where('id', '=', userId).execute()

it('grants and revokes the role at once, each with a row of the audit log', async () => {
  const { user, email, session } = await signUpSomeone(server)
  const listUsers = async () => {
    const headers = { Authorization: `Bearer ${session.access_token}` }
    return (await call(server, '/admin/users', { headers })).status
  }
  expect(await listUsers()).toBe(403)
  expect(await grant(email.toUpperCase())).toEqual({
    code: 0,
    output: `Account ${user.id} is now an administrator with the role owner\n`,
  })
  expect(await listUsers()).toBe(200)
  expect((await grant(user.id)).output).toBe(
    `Account ${user.id} was already an administrator with the role owner\n`,
  )
  expect(await grant(email, '--revoke')).toEqual({
    code: 1,
    output: 'It cannot be changed: it is the last owner; make another account an owner first\n',
  })
  const other = await signUpSomeone(server)
  await grant(other.email)
  await grant(email, 'read-only')
  expect((await grant(email, 'king')).output).toContain('That is no role; the roles are owner, finance')
  expect((await grant(email, '--revoke')).output).toContain('is now no administrator')
  expect(await listUsers()).toBe(403)
  const rows = await server.context.db
    .selectFrom('auth.audit_log')
    .select(['actor', 'actor_id', 'user_agent', 'details'])
    .where('user_id', '=', user.id)
    .where('action', '=', 'role_changed')
    .orderBy('id')
    .execute()
  const by = { actor: 'service', actor_id: null, user_agent: 'leadwire admin create' }
  expect(rows).toEqual([
    { ...by, details: { before: { role: 'client' }, after: { role: 'owner' } } },
    { ...by, details: { before: { role: 'owner' }, after: { role: 'read_only' } } },
    { ...by, details: { before: { role: 'read_only' }, after: { role: 'client' } } },
  ])
})

it('refuses an account that is unconfirmed, banned or missing', async () => {
  const [unconfirmed, banned, gone] = await Promise.all([1, 2, 3].map(() => signUpSomeone(server)))
  await change(unconfirmed?.user.id ?? '', { email_confirmed_at: null })
  await change(banned?.user.id ?? '', { banned_until: new Date(Date.now() + 3_600_000) })
  await change(gone?.user.id ?? '', { deleted_at: new Date() })
  const told: string[] = []
  for (const account of [unconfirmed?.email, banned?.email, gone?.email, randomUUID()]) {
    const { code, output } = await grant(account ?? '')
    expect(code).toBe(1)
    told.push(output.replace('It cannot be changed: ', '').trim())
  }
  const unknown = expect.stringMatching(/^there is no such account/) as unknown
  expect(told).toEqual(['its address is not confirmed yet', 'it is banned or suspended', unknown, unknown])
  const administrators = server.context.db
    .selectFrom('profiles')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('user_id', 'in', [unconfirmed?.user.id ?? '', banned?.user.id ?? '', gone?.user.id ?? ''])
  expect(await administrators.execute()).toEqual([])
})

it('prints its usage, and names the database that it cannot reach', async () => {
  expect(await grant()).toMatchObject({
    code: 2,
    output: expect.stringContaining('Takes 1 to 2 arguments') as string,
  })
  const lost = await run('postgres://127.0.0.1:1/none', ['ada@example.com'])
  expect(lost).toMatchObject({ code: 1, output: expect.stringContaining('ECONNREFUSED') as string })
})
