import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedAccounts } from '#server/auth/seed-accounts.ts'
import { PASSWORD, startAuthServer, type AuthServer } from './start-auth-server.ts'

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

it('creates the first accounts once, even when two servers start together', async () => {
  const created = await Promise.all([seedAccounts(server.context), seedAccounts(server.context)])
  expect(created.toSorted()).toEqual([0, 2])
  expect(await seedAccounts(server.context)).toBe(0)
  const profiles = await server.context.db
    .selectFrom('profiles')
    .select(['email', 'role'])
    .orderBy('email')
    .execute()
  expect(profiles).toEqual([
    { email: 'admin@example.com', role: 'admin' },
    { email: 'client@example.com', role: 'client' },
  ])
})

it('makes accounts that can sign in at once', async () => {
  const { data, error } = await server
    .newClient()
    .signInWithPassword({ email: 'admin@example.com', password: PASSWORD })
  expect(error).toBeNull()
  expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
})
