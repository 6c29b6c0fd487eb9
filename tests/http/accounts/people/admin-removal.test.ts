import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileMissing } from '#core/file-store/file-store.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startAdministering } from './administer.ts'
import { call, newEmail, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let folder: string
let server: AuthServer
let administration: Awaited<ReturnType<typeof startAdministering>>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-removal-'))
  server = await startAuthServer({ AUTH_PHONE_ENABLED: '1', DATA_DIR: folder, FILES_RESERVE_MB: '0' })
  administration = await startAdministering(server)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const signIn = (email: string, password: string) => server.newClient().signInWithPassword({ email, password })

describe('deleteUser', () => {
  it('removes the account and all its data', async () => {
    const { client, email, user } = await signUpSomeone(server)
    expect((await administration.admin.deleteUser(user.id)).error).toBeNull()
    expect((await client.getUser()).error).toMatchObject({ code: 'user_not_found' })
    expect((await administration.admin.getUserById(user.id)).error).toMatchObject({ status: 404 })
    expect((await server.newClient().signUp({ email, password: PASSWORD })).error).toBeNull()
    expect(await administration.auditOf(user.id)).toMatchObject({
      action: 'user_deleted',
      details: { soft: false },
    })
  })

  it('refuses an account that has requested funds, and gives the reason', async () => {
    const { user } = await signUpSomeone(server)
    const payment = { client_user_id: user.id, method: 'request', amount: '50.00' } as const
    await server.context.db.insertInto('payments').values(payment).execute()
    const { error } = await administration.admin.deleteUser(user.id)
    expect(error).toMatchObject({ status: 409, code: 'conflict' })
    expect(error?.message).toContain('leads, sources or payments')
  })

  it('refuses an account that leads refer to, and anonymises it instead', async () => {
    const { client, email, user } = await signUpSomeone(server)
    const { db } = server.context
    await db
      .insertInto('leads')
      .values({ user_id: user.id, source: 'test', lead_type: 'final_expense' })
      .execute()
    expect((await administration.admin.deleteUser(user.id)).error).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    expect((await client.getUser()).error).toBeNull()

    expect((await administration.admin.deleteUser(user.id, true)).error).toBeNull()
    expect((await client.getUser()).error).toMatchObject({ code: 'user_not_found' })
    expect((await signIn(email, PASSWORD)).error).toMatchObject({ code: 'invalid_credentials' })
    const { data } = await administration.admin.getUserById(user.id)
    expect(data.user).toMatchObject({ id: user.id, email: '', user_metadata: {}, identities: [] })
    expect(data.user?.deleted_at).toEqual(expect.any(String))
    const rows = [
      await db.selectFrom('auth.users').selectAll().where('id', '=', user.id).execute(),
      await db.selectFrom('profiles').selectAll().where('user_id', '=', user.id).execute(),
      await db.selectFrom('auth.identities').selectAll().where('user_id', '=', user.id).execute(),
      await db.selectFrom('auth.audit_log').select('details').where('user_id', '=', user.id).execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(email.split('@')[0])
    expect((await server.newClient().signUp({ email, password: PASSWORD })).error).toBeNull()
  })

  it.each([true, false])('removes the files of the account with their bytes, softly %s', async (isSoft) => {
    const { user } = await signUpSomeone(server)
    const { db, files } = server.context
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(`Receipt of ${user.id}`))
    }
    const { sha256 } = await storeFile(server.context, {
      bucket: 'receipts',
      account_id: user.id,
      name: `${user.id}/receipt.txt`,
      content_type: 'text/plain',
      bytes: bytes(),
      upsert: false,
    })
    expect((await administration.admin.deleteUser(user.id, isSoft)).error).toBeNull()
    expect(
      await db.selectFrom('stored_files').select('id').where('account_id', '=', user.id).execute(),
    ).toEqual([])
    await expect(files.read(sha256)).rejects.toThrow(FileMissing)
  })

  it.each([true, false])('removes the names with wrong passwords, softly %s', async (isSoft) => {
    const [email, phone] = [newEmail(), `1555${String(Date.now()).slice(-7)}`]
    const { id } = await administration.createUser({ email, phone, password: PASSWORD })
    for (const name of [{ email }, { phone }])
      await server.newClient().signInWithPassword({ ...name, password: 'wrong' })
    const attempts = server.context.db
      .selectFrom('auth.sign_in_attempts')
      .select('email')
      .where('email', 'in', [email, `+${phone}`])
    expect(await attempts.execute()).toHaveLength(2)
    expect((await administration.admin.deleteUser(id, isSoft)).error).toBeNull()
    expect(await attempts.execute()).toEqual([])
  })

  it('deletes hard with a body, an empty body or none', async () => {
    for (const init of [{ body: '{}' }, { body: '' }, {}]) {
      const { id } = await administration.createUser({ email: newEmail() })
      const { status, body } = await call(server, `/admin/users/${id}`, {
        method: 'DELETE',
        headers: { ...administration.headers, 'Content-Type': 'application/json' },
        ...init,
      })
      expect({ status, body }).toEqual({ status: 200, body: {} })
    }
  })

  it('accepts one of ten simultaneous deletions', async () => {
    const { id } = await administration.createUser({ email: newEmail() })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => administration.send('DELETE', `/admin/users/${id}`, {})),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(404),
    ])
  })
})

describe('factors', () => {
  const addFactor = async (userId: string) =>
    await server.context.db
      .insertInto('auth.factors')
      .values({ user_id: userId, friendly_name: 'Phone app', factor_type: 'totp', status: 'verified' })
      .returning('id')
      .executeTakeFirstOrThrow()

  it('are listed as an empty list if there are none', async () => {
    const { id } = await administration.createUser({ email: newEmail() })
    expect((await administration.admin.mfa.listFactors({ userId: id })).data).toEqual({ factors: [] })
  })

  it('can be removed, and the session returns to aal1', async () => {
    const { user } = await signUpSomeone(server)
    const { id } = await addFactor(user.id)
    const { db } = server.context
    await db
      .updateTable('auth.sessions')
      .set({
        aal: 'aal2',
        factor_id: id,
        amr: JSON.stringify([
          { method: 'totp', timestamp: 2 },
          { method: 'password', timestamp: 1 },
        ]),
      })
      .where('user_id', '=', user.id)
      .execute()
    expect((await administration.admin.mfa.listFactors({ userId: user.id })).data?.factors).toMatchObject([
      { id },
    ])
    const path = `/admin/users/${user.id}/factors/${id}`
    expect(await administration.send('DELETE', path, undefined)).toMatchObject({ status: 200, body: { id } })
    const session = await db
      .selectFrom('auth.sessions')
      .select(['aal', 'factor_id', 'amr'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(session).toEqual({ aal: 'aal1', factor_id: null, amr: [{ method: 'password', timestamp: 1 }] })
    expect(await administration.auditOf(user.id)).toMatchObject({
      action: 'factor_removed',
      actor: 'service',
    })
  })

  it('of another user are not removed', async () => {
    const { user } = await signUpSomeone(server)
    const other = await administration.createUser({ email: newEmail() })
    const { id } = await addFactor(user.id)
    expect(
      await administration.send('DELETE', `/admin/users/${other.id}/factors/${id}`, undefined),
    ).toMatchObject({
      status: 404,
      body: { code: 'mfa_factor_not_found', message: 'Factor not found' },
    })
  })
})

describe('signOut', () => {
  it('ends the sessions of the given token', async () => {
    const { client, session } = await signUpSomeone(server)
    expect((await administration.admin.signOut(session.access_token)).error).toBeNull()
    expect((await client.getUser()).error).not.toBeNull()
  })
})
