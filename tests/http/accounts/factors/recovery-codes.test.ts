import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recoveryCodesSchema } from '#core/contract/accounts/recovery-codes.ts'
import { eraseAccount } from '#server/accounts/people/data/erase-account.ts'
import { evictUnconfirmed } from '#server/accounts/people/data/evict-unconfirmed.ts'
import { startApp, type Person, type TestApp } from '#tests/http/support/start-app.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp } from './enroll-totp.ts'
import { showCode } from './totp-app.ts'

const PATH = '/api/v1/me/recovery-codes'
let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function signIn({ email }: Person) {
  const client = new AuthClient({ url: `${app.url}/auth/v1`, autoRefreshToken: false, persistSession: false })
  const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
  if (error !== null) throw error
  return { client, token: data.session.access_token }
}

/** Creates a user with a verified authenticator app and ten recovery codes. */
async function givenCodes() {
  const person = await app.newClient()
  const { client } = await signIn(person)
  const { factorId, secret } = await enrollTotp(client)
  const { data } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
  const token = data?.access_token ?? ''
  const made = await app.call('POST', PATH, { token })
  expect(made.status).toBe(201)
  return { person, client, token, factorId, ...recoveryCodesSchema.parse(made.json) }
}

test('a recovery code replaces the lost factor once, in any spelling, and the audit log records that', async () => {
  const { person, token, factorId, codes } = await givenCodes()
  expect(new Set(codes).size).toBe(10)
  const [code = ''] = codes
  const lost = await signIn(person)

  const verified = await lost.client.mfa.challengeAndVerify({
    factorId,
    code: ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o')} `,
  })
  expect(verified.error).toBeNull()
  expect((await app.call('GET', PATH, { token })).json).toMatchObject({ left: 9 })
  const again = await (await signIn(person)).client.mfa.challengeAndVerify({ factorId, code })
  expect(again.error).toMatchObject({ code: 'mfa_verification_failed' })

  const audit = await app.call('GET', '/api/v1/me/audit', { token })
  const told = JSON.stringify(audit.json.data)
  expect(told).toContain('"recovery_codes_made"')
  expect(told).toContain('"recovery_code_used"')
  const kept = await app.context.db.selectFrom('auth.recovery_codes').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(code.replace('-', ''))
})

test('another user’s codes are refused, new codes replace the old ones, and removing the last factor ends them', async () => {
  const ada = await givenCodes()
  const ben = await givenCodes()
  const thief = await signIn(ben.person)
  const [ofAda = ''] = ada.codes
  const { error } = await thief.client.mfa.challengeAndVerify({ factorId: ben.factorId, code: ofAda })
  expect(error).toMatchObject({ code: 'mfa_verification_failed' })

  expect((await app.call('POST', PATH, { token: ada.token })).status).toBe(201)
  const old = await (
    await signIn(ada.person)
  ).client.mfa.challengeAndVerify({ factorId: ada.factorId, code: ofAda })
  expect(old.error).toMatchObject({ code: 'mfa_verification_failed' })

  expect((await ada.client.mfa.unenroll({ factorId: ada.factorId })).error).toBeNull()
  expect((await app.call('GET', PATH, { token: ada.token })).json).toEqual({ left: 0, created_at: null })
})

test('a session without a second factor cannot create codes, and an unverified app accepts none', async () => {
  const { person } = await givenCodes()
  const { token } = await signIn(person)
  const refused = await app.call('POST', PATH, { token })
  expect({ status: refused.status, code: refused.json.code }).toEqual({ status: 403, code: 'mfa_required' })

  const { codes, client } = await givenCodes()
  const second = await enrollTotp(client, 'Second')
  const [code = ''] = codes
  const { error } = await client.mfa.challengeAndVerify({ factorId: second.factorId, code })
  expect(error).toMatchObject({ code: 'mfa_verification_failed' })
})

test('codes end when the account changes its owner, and never replace a factor that was added later', async () => {
  const { db } = app.context
  const keptOf = async ({ id }: Person) =>
    (await db.selectFrom('auth.recovery_codes').select('code_mac').where('user_id', '=', id).execute()).length

  const squatter = await givenCodes()
  const user = await db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', squatter.person.id)
    .executeTakeFirstOrThrow()
  // When the true owner takes the account over, it keeps no factor or code of the person who made it.
  await evictUnconfirmed(db, user)
  expect(await keptOf(squatter.person)).toBe(0)

  const left = await givenCodes()
  await eraseAccount(db, left.person.id, app.admin.id)
  expect(await keptOf(left.person)).toBe(0)

  // However the factor was removed, its codes do not work for the next one.
  const { person, codes, factorId } = await givenCodes()
  await db.deleteFrom('auth.factors').where('id', '=', factorId).execute()
  const { client } = await signIn(person)
  const next = await enrollTotp(client)
  await client.mfa.challengeAndVerify({ factorId: next.factorId, code: showCode(next.secret) })
  const [code = ''] = codes
  const { error } = await (
    await signIn(person)
  ).client.mfa.challengeAndVerify({ factorId: next.factorId, code })
  expect(error).toMatchObject({ code: 'mfa_verification_failed' })
})
