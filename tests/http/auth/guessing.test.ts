import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, signUpSomeone, startAuthServer, type AuthServer } from './start-auth-server.ts'

const GUESSES = 10_000
/** SPEC.md §9: so many wrong ones are told apart from a block. */
const ALLOWED_PASSWORDS = 5

let server: AuthServer
const agent = new Agent({ connections: 200 })
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

/** How often each answer came; all guesses are on their way at once, over 200 connections. */
async function guess(path: string, body: (n: number) => object, headers: Record<string, string> = {}) {
  const answers = new Map<string, number>()
  await Promise.all(
    Array.from({ length: GUESSES }, async (_, n) => {
      const response = await request(`${server.url}${path}`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01', ...headers },
        body: JSON.stringify(body(n)),
        headersTimeout: 120_000,
      })
      const text = await response.body.text()
      const { code } = JSON.parse(text) as { code?: string }
      const answer = `${response.statusCode} ${code ?? 'session'}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }),
  )
  return answers
}

it('lets nobody guess a password more than five times, and its owner in from elsewhere', async () => {
  const { email, client } = await signUpSomeone(server)
  const answers = await guess(
    '/token?grant_type=password',
    // The right one is among them, behind the limit.
    (n) => ({ email, password: n === GUESSES - 1 ? PASSWORD : `Wrong-Guess-${n}!` }),
    { 'x-forwarded-for': '198.51.100.7' },
  )
  const told = answers.get('400 invalid_credentials') ?? 0
  expect(told).toBeLessThanOrEqual(ALLOWED_PASSWORDS)
  expect(told).toBeGreaterThan(0)
  expect(answers.get('200 session')).toBeUndefined()
  expect(answers.get('429 over_request_rate_limit')).toBe(GUESSES - told)

  const { error } = await client.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
}, 180_000)
