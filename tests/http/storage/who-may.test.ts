import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { givenMember } from '../accounts/members/given-members.ts'
import type { Person } from '../support/start-app.ts'
import { makeServiceKey, openStorage, type StorageOf } from './open-storage-client.ts'
import { PNG } from './pictures.ts'
import { startForFiles } from './start-for-files.ts'

const { app, owner, stranger, as, evidence, givenEvidence } = await startForFiles()

/** A file that the product itself stores for an account. */
async function givenFile(bucket: string, account: Person): Promise<string> {
  const name = `${account.id}/${randomUUID()}.csv`
  const bytes = (async function* () {
    yield Buffer.from('a,b\n')
  })()
  const given = { bucket, account_id: account.id, name, content_type: 'text/csv', bytes, upsert: false }
  const created_by = account.id
  await storeFile({ db: app.context.db, files: app.context.files }, { ...given, created_by })
  return name
}

/** The answers of every call about one file. */
async function tryAll(storage: StorageOf, bucket: string, name: string): Promise<(string | undefined)[]> {
  const at = storage.from(bucket)
  const answers = [
    await at.download(name),
    await at.info(name),
    await at.createSignedUrl(name, 60),
    await at.upload(name, PNG, { upsert: true }),
    await at.update(name, PNG),
    await at.move(name, `${name}2`),
    await at.copy(name, `${name}2`),
    await at.createSignedUploadUrl(name, { upsert: true }),
  ]
  return answers.map(({ error }) => error?.message)
}

describe("another client's file", () => {
  test('is as if it did not exist', async () => {
    const name = await givenEvidence(owner)
    const folder = "The first folder of a name must be its owner's user id."
    const none = 'Object not found'
    const signed = 'Either the object does not exist or you do not have access to it'
    expect(await tryAll(as(stranger), 'evidence', name)).toEqual([
      none,
      none,
      signed,
      folder,
      folder,
      none,
      none,
      folder,
    ])
    expect((await evidence(stranger).list(owner.id)).data).toEqual([])
    expect((await evidence(stranger).remove([name])).data).toEqual([])
    const { data } = await evidence(stranger).createSignedUrls([name], 60)
    expect(data).toMatchObject([{ path: name, signedUrl: null }])
    expect((await evidence(owner).download(name)).data?.size).toBe(PNG.length)
  })

  test('cannot be put into the own folder, nor an own file into the other', async () => {
    const theirs = await givenEvidence(owner)
    const mine = await givenEvidence(stranger)
    expect((await evidence(stranger).copy(theirs, `${stranger.id}/copy.png`)).error).not.toBeNull()
    expect((await evidence(stranger).move(mine, `${owner.id}/put.png`)).error).not.toBeNull()
    expect((await evidence(stranger).copy(mine, theirs)).error).not.toBeNull()
  })
})

describe('nobody', () => {
  test.each([
    ['without a token', () => Promise.resolve({})],
    ['with the public key', () => Promise.resolve({ authorization: 'Bearer sb_publishable_example' })],
    ['with a signed public key', async () => ({ authorization: `Bearer ${await signedPublicKey()}` })],
  ])('gets anything %s', async (_how, headers) => {
    const name = await givenEvidence(owner)
    const calls = [
      ['GET', `/object/evidence/${name}`],
      ['GET', `/object/authenticated/evidence/${name}`],
      ['GET', `/object/info/evidence/${name}`],
      ['POST', '/object/list/evidence'],
      ['POST', `/object/evidence/${name}2`],
      ['POST', `/object/sign/evidence/${name}`],
      ['POST', `/object/upload/sign/evidence/${name}2`],
      ['DELETE', `/object/evidence/${name}`],
      ['GET', '/bucket'],
      ['GET', '/bucket/evidence'],
      ['POST', '/bucket'],
    ]
    for (const [method = '', where] of calls) {
      const { status, json } = await app.call(method, `/storage/v1${where}`, {
        headers: await headers(),
        ...(method === 'POST' && { body: { prefix: '', id: 'mine', expiresIn: 60 } }),
      })
      expect({ method, where, status, json }).toMatchObject({
        status: 400,
        json: { statusCode: '403', error: 'Unauthorized' },
      })
    }
    expect((await evidence(owner).download(name)).error).toBeNull()
  })

  test('reads a public URL', async () => {
    const name = await givenEvidence(owner)
    for (const path of [`/object/public/evidence/${name}`, `/object/info/public/evidence/${name}`]) {
      const { status, json } = await app.call('GET', `/storage/v1${path}`)
      expect([status, json]).toEqual([
        400,
        { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found', code: 'NoSuchBucket' },
      ])
    }
  })

  async function signedPublicKey(): Promise<string> {
    const { signing } = app.context.identity.keys
    return await new SignJWT({ role: 'anon', exp: 4_102_444_800 })
      .setProtectedHeader({ alg: signing.alg, kid: signing.kid })
      .sign(signing.privateKey)
  }
})

describe('a client', () => {
  test('sees the buckets of the own role, and no other', async () => {
    const seen = async (person: Person): Promise<string[] | undefined> =>
      (await as(person).listBuckets()).data?.map(({ id }) => id)
    const agent = await givenMember(app, owner, 'agent')
    const finance = await givenMember(app, owner, 'finance')

    expect(await seen(owner)).toEqual(['evidence', 'exports', 'receipts'])
    expect(await seen(agent)).toEqual(['evidence', 'exports'])
    expect(await seen(finance)).toEqual(['exports', 'receipts'])
    expect(await seen(app.admin)).toEqual(['evidence', 'exports', 'imports', 'receipts'])
    expect((await as(owner).getBucket('imports')).error?.message).toBe('Bucket not found')
  })

  test('only reads exports and receipts', async () => {
    for (const bucket of ['exports', 'receipts']) {
      const name = await givenFile(bucket, owner)
      const at = as(owner).from(bucket)
      expect(await (await at.download(name)).data?.text()).toBe('a,b\n')
      expect((await at.list(owner.id)).data).toHaveLength(1)
      const refusals = [
        await at.upload(`${owner.id}/x.csv`, 'x'),
        await at.update(name, 'x'),
        await at.remove([name]),
        await at.move(name, `${owner.id}/y.csv`),
        await at.copy(name, `${owner.id}/y.csv`),
        await at.createSignedUploadUrl(`${owner.id}/x.csv`),
      ]
      for (const { error } of refusals) expect(error).toMatchObject({ statusCode: '403' })
    }
  })

  test('reads no export that another person of the account asked for', async () => {
    const name = await givenFile('exports', owner)
    for (const role of ['owner', 'agent', 'finance'] as const) {
      const at = as(await givenMember(app, owner, role)).from('exports')
      expect((await at.download(name)).data).toBeNull()
      expect((await at.createSignedUrl(name, 60)).data).toBeNull()
      expect((await at.list(owner.id)).data).toEqual([])
      const copied = await at.copy(name, `${owner.id}/c.csv`, { destinationBucket: 'evidence' })
      // Finance may not write evidence at all.
      if (role !== 'finance') expect(copied.error?.message).toBe('Object not found')
    }
  })

  test('has no buckets beside those of the product, and makes none', async () => {
    const service = openStorage(app.url, await makeServiceKey(app.context))
    await service.createBucket('private-of-the-service', { public: true })
    const at = as(owner).from('private-of-the-service')
    expect((await at.upload(`${owner.id}/a.txt`, 'a')).error?.message).toBe('Bucket not found')
    expect((await at.list()).error?.message).toBe('Bucket not found')
    const refusals = [
      await as(owner).createBucket('mine'),
      await as(owner).updateBucket('evidence', { public: true }),
      await as(owner).emptyBucket('evidence'),
      await as(owner).deleteBucket('evidence'),
    ]
    for (const { error } of refusals)
      expect(error).toMatchObject({ status: 400, statusCode: '403', code: 'AccessDenied' })
    for (const { error } of [await service.emptyBucket('evidence'), await service.deleteBucket('receipts')])
      expect(error).toMatchObject({ statusCode: '403' })
  })

  test('an agent sees and replaces only own files; finance sees receipts alone', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const finance = await givenMember(app, owner, 'finance')
    const [own, other] = [await givenEvidence(agent, owner), await givenEvidence(owner)]

    expect((await evidence(agent).download(own)).error).toBeNull()
    expect((await evidence(owner).download(own)).error).toBeNull()
    expect((await evidence(agent).download(other)).error?.message).toBe('Object not found')
    expect((await evidence(agent).upload(other, PNG, { upsert: true })).error).toMatchObject({
      statusCode: '409',
    })
    expect((await evidence(agent).list(owner.id)).data).toHaveLength(1)
    expect((await evidence(agent).remove([other])).data).toEqual([])
    expect((await evidence(finance).download(other)).error).toMatchObject({ statusCode: '403' })
    expect((await as(finance).from('receipts').list()).error).toBeNull()
    expect((await as(agent).from('receipts').list()).error).toMatchObject({ statusCode: '403' })
  })

  test('stores nothing before the account is approved', async () => {
    const person = await app.newClient()
    const { error } = await evidence(person).upload(`${person.id}/a.png`, PNG)
    expect(error).toMatchObject({ statusCode: '403', message: expect.stringContaining('approved') as string })
    expect((await evidence(person).list()).data).toEqual([])
  })

  test('does not get what a browser kept for another', async () => {
    const name = await givenEvidence(owner)
    const { headers } = await app.call('GET', `/storage/v1/object/evidence/${name}`, { token: owner.token })
    expect(headers.get('vary')).toContain('Authorization')
  })

  test('loses files with the session', async () => {
    const person = await app.newApprovedClient()
    const name = await givenEvidence(person)
    await app.call('POST', '/auth/v1/logout', { token: person.token })
    expect((await evidence(person).download(name)).error).toMatchObject({ code: 'InvalidJWT' })
  })
})

test('an administrator keeps import files in the own folder', async () => {
  const imports = as(app.admin).from('imports')
  const name = `${app.admin.id}/leads.csv`
  expect((await imports.upload(name, 'a,b', { contentType: 'text/csv' })).error).toBeNull()
  const { db } = app.context
  const kept = await db.selectFrom('stored_files').select('expires_at').where('name', '=', name).execute()
  // Nothing else would end its personal data.
  expect(kept).toEqual([{ expires_at: expect.any(Date) as Date }])
  expect((await imports.upload(`${owner.id}/leads.csv`, 'a,b')).error).not.toBeNull()
  expect((await imports.move(name, name, { destinationBucket: 'evidence' })).error).not.toBeNull()
})
