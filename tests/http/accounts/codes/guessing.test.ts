import { Agent, request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lockUser } from '#server/accounts/people/data/users.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp, listFactorAudit } from '../factors/enroll-totp.ts'
import { readMail } from './read-mail.ts'
import { post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { showCode, wrongCode } from '../factors/totp-app.ts'

/** Ten for each connection, so that none is ever idle. */
const GUESSES = 2_000
/** Wrong passwords that are answered before the block (docs/product.md §9). */
const ALLOWED_PASSWORDS = 5
const ALLOWED_CODES = 10

let server: AuthServer
const agent = new Agent({ connections: 200 })
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0' })
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

/**
 * Counts the answers by kind. All guesses are sent at once over 200 connections. A 504 from a slow machine
 * says nothing about a guess and is not counted.
 */
async function guess(path: string, body: (n: number) => object, headers: Record<string, string>) {
  const answers = new Map<string, number>()
  let answered = 0
  await Promise.all(
    Array.from({ length: GUESSES }, async (_, n) => {
      const response = await request(`${server.url}${path}`, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01', ...headers },
        body: JSON.stringify(body(n)),
        headersTimeout: 170_000,
      })
      const text = await response.body.text()
      if (response.statusCode === 504) return
      answered += 1
      const { code } = JSON.parse(text) as { code?: string }
      const answer = `${response.statusCode} ${code ?? 'session'}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
    }),
  )
  return { answers, answered }
}

it('allows five wrong guesses of a password, and then still admits its owner from elsewhere', async () => {
  const { email, client } = await signUpSomeone(server)
  const { answers, answered } = await guess(
    '/token?grant_type=password',
    // The right one is among them, after the limit.
    (n) => ({ email, password: n === GUESSES - 1 ? PASSWORD : `Wrong-Guess-${n}!` }),
    { 'x-forwarded-for': '198.51.100.7' },
  )
  const told = answers.get('400 invalid_credentials') ?? 0
  expect(told).toBeLessThanOrEqual(ALLOWED_PASSWORDS)
  expect(told).toBeGreaterThan(0)
  expect(answers.get('200 session')).toBeUndefined()
  expect(answers.get('429 over_request_rate_limit')).toBe(answered - told)

  const { error } = await client.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
}, 180_000)

it('allows three wrong guesses of a mailed code, and then still admits its owner by the next code', async () => {
  const { email, user } = await signUpSomeone(server)
  const sendCode = async () => {
    await post(server, '/otp', { email })
    return (await readMail(server, email)).data.code ?? ''
  }
  const countSessions = async () => {
    const { db } = server.context
    const rows = await db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id).execute()
    return rows.length
  }
  const sessions = await countSessions()
  const right = await sendCode()
  const { answers, answered } = await guess(
    '/verify',
    // Each guess differs, and the right one is among them, after the limit.
    (n) => ({
      type: n % 2 === 0 ? 'email' : 'magiclink',
      email,
      token: n === GUESSES - 1 ? right : String((Number(right) + 1 + n) % 1_000_000).padStart(6, '0'),
    }),
    { 'x-forwarded-for': '198.51.100.9' },
  )
  // Wrong guesses, the right one and guesses without any code left get the same answer.
  expect([...answers]).toEqual([['403 otp_expired', answered]])
  expect((await post(server, '/verify', { type: 'email', email, token: right })).status).toBe(403)
  expect(await countSessions()).toBe(sessions)

  const { error } = await server.newClient().verifyOtp({ type: 'email', email, token: await sendCode() })
  expect(error).toBeNull()
}, 180_000)

it('allows ten guesses of an authenticator’s code, and then still admits its owner from elsewhere', async () => {
  const { email, user, client } = await signUpSomeone(server)
  const { factorId, secret } = await enrollTotp(client)
  const thief = server.newClient()
  const { data } = await thief.signInWithPassword({ email, password: PASSWORD })
  const headers = {
    authorization: `Bearer ${data.session?.access_token}`,
    'x-forwarded-for': '198.51.100.8',
  }
  // Each challenge takes three wrong codes; with this many challenges that is no limit.
  const challenges = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { body } = await post(server, `/factors/${factorId}/challenge`, {}, headers)
      return (body as unknown as { id: string }).id
    }),
  )
  const { answers, answered } = await guess(
    `/factors/${factorId}/verify`,
    // The right one is among them, after the limit.
    (n) => ({
      challenge_id: challenges[n % challenges.length],
      code: n === GUESSES - 1 ? showCode(secret) : wrongCode(secret),
    }),
    headers,
  )
  const told = answers.get('422 mfa_verification_failed') ?? 0
  expect(told).toBeLessThanOrEqual(ALLOWED_CODES)
  expect(answers.get('429 over_request_rate_limit')).toBe(answered - told)
  const countJudged = async () =>
    (await listFactorAudit(server, user.id)).filter((action) => action === 'factor_failed').length
  await expect.poll(countJudged, { timeout: 60_000 }).toBe(ALLOWED_CODES)

  const { error } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
  expect(error).toBeNull()
}, 180_000)

it('leaves database connections free while many guess the code of one authenticator', async () => {
  const { user, session, client } = await signUpSomeone(server)
  const { factorId, secret } = await enrollTotp(client)
  const guessers = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const headers = {
        authorization: `Bearer ${session.access_token}`,
        'x-forwarded-for': `203.0.113.${n + 1}`,
        'x-supabase-api-version': '2024-01-01',
      }
      const { body } = await post(server, `/factors/${factorId}/challenge`, {}, headers)
      const { id: challenge_id } = body as unknown as { id: string }
      const answer = { challenge_id, code: wrongCode(secret) }
      return async () => {
        const { status, body: told } = await post(server, `/factors/${factorId}/verify`, answer, headers)
        return `${status} ${told.code}`
      }
    }),
  )
  const { db } = server.context
  const { begun } = await db.transaction().execute(async (trx) => {
    // Each check of a code waits for this row and keeps its connection meanwhile.
    await lockUser(trx, user.id)
    const answers = Promise.all([...guessers, ...guessers].map((guess) => guess().catch(String)))
    await waitUntil(async () => (await countWaiting(db)) > 0, { what: 'A guess that waits for the account' })
    await signUpSomeone(server)
    return { begun: answers }
  })
  expect(await begun).not.toContain('503 unexpected_failure')
}, 60_000)

it('allows fifty guesses of an authenticator’s code from many addresses', async () => {
  const { session, client } = await signUpSomeone(server)
  const { factorId, secret } = await enrollTotp(client)
  const codes: unknown[] = []
  for (let address = 1; address <= 17; address += 1) {
    const headers = {
      authorization: `Bearer ${session.access_token}`,
      'x-forwarded-for': `198.51.100.${address}`,
      'x-supabase-api-version': '2024-01-01',
    }
    const challenge = await post(server, `/factors/${factorId}/challenge`, {}, headers)
    const { id: challenge_id } = challenge.body as unknown as { id: string }
    for (let wrong = 0; wrong < 3; wrong += 1) {
      const body = { challenge_id, code: wrongCode(secret) }
      codes.push((await post(server, `/factors/${factorId}/verify`, body, headers)).body.code)
    }
  }
  expect(codes.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 'mfa_verification_failed'))
  expect(codes[50]).toBe('over_request_rate_limit')

  // A quarter of an hour passes.
  await server.context.db
    .updateTable('auth.factor_failures')
    .set({ since: new Date(Date.now() - 15 * 60_000 - 1000) })
    .where('factor_id', '=', factorId)
    .execute()
  expect((await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })).error).toBeNull()
}, 60_000)
