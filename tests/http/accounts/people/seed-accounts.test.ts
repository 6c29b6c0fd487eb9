import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedAccounts } from '#server/accounts/seed-accounts.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({
    SEED_ADMIN_EMAIL: 'Admin@example.com',
    SEED_ADMIN_PASSWORD: PASSWORD,
    SEED_CLIENT_EMAIL: 'client@example.com',
    SEED_CLIENT_PASSWORD: PASSWORD,
  })
})
afterAll(() => server.close())

it('the first start creates the accounts with their roles, and the next start creates none', async () => {
  expect(await seedAccounts(server.context)).toBe(2)
  expect(await seedAccounts(server.context)).toBe(0)
  expect(await readProfiles(server)).toEqual([
    { email: 'admin@example.com', role: 'admin' },
    { email: 'client@example.com', role: 'client' },
  ])
})

it('two servers with different settings that start together create the accounts once', async () => {
  const fresh = await startAuthServer()
  const { config, db } = fresh.context
  const start = (email: string) =>
    seedAccounts({
      db,
      config: { ...config, seed: { admin: { email, password: PASSWORD }, client: undefined } },
    })
  const created = await Promise.all([start('one@example.com'), start('two@example.com')])
  expect(created.toSorted()).toEqual([0, 1])
  expect(await readProfiles(fresh)).toHaveLength(1)
  await fresh.close()
})

it('the created accounts can sign in at once', async () => {
  const { data, error } = await server
    .newClient()
    .signInWithPassword({ email: 'admin@example.com', password: PASSWORD })
  expect(error).toBeNull()
  expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
})

function readProfiles(of: AuthServer) {
  return of.context.db.selectFrom('profiles').select(['email', 'role']).orderBy('email').execute()
}
