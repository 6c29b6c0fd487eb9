import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { givenMember } from '../accounts/members/given-members.ts'
import { openStorage } from './open-storage-client.ts'
import { PNG } from './pictures.ts'
import { startForFiles } from './start-for-files.ts'

const { app, owner, evidence, givenEvidence } = await startForFiles()

describe('a signed URL', () => {
  test('reads one file, for an hour at most, and not as another purpose', async () => {
    const name = await givenEvidence(owner)
    const { data } = await evidence(owner).createSignedUrl(name, 3600)
    const url = new URL(data?.signedUrl ?? '')
    const read = async (): Promise<[number, string]> => {
      const got = await fetch(url)
      return [got.status, await got.text()]
    }
    expect((await read())[0]).toBe(200)
    expect((await evidence(owner).createSignedUrl(name, 3601)).error?.message).toContain('must be at most')
    const token = url.searchParams.get('token') ?? ''
    expect(await app.call('GET', '/storage/v1/bucket', { token })).toMatchObject({ status: 400 })
    expect((await evidence(owner).uploadToSignedUrl(name, token, PNG)).error).toMatchObject({
      code: 'InvalidJWT',
    })
    url.searchParams.set('token', owner.token)
    expect((await read())[1]).toContain('InvalidJWT')
    const other = await givenEvidence(owner)
    url.searchParams.set('token', token)
    url.pathname = `/storage/v1/object/sign/evidence/${other}`
    expect((await read())[1]).toContain('InvalidJWT')
  })

  test('expires, and ends with its file', async () => {
    const name = await givenEvidence(owner)
    const { data } = await evidence(owner).createSignedUrl(name, 1)
    const kept = await evidence(owner).createSignedUrl(name, 60)
    await expect
      .poll(async () => await (await fetch(data?.signedUrl ?? '')).text(), { timeout: 5000 })
      .toContain('ExpiredToken')
    await evidence(owner).remove([name])
    await evidence(owner).upload(name, PNG)
    expect(await (await fetch(kept.data?.signedUrl ?? '')).text()).toContain('Object not found')
  })

  test('for an upload ends with the right of the person who made it', async () => {
    const agent = await givenMember(app, owner, 'agent')
    const nobody = openStorage(app.url, undefined).from('evidence')
    const urls = await Promise.all(
      [1, 2].map(async (at) => {
        const name = `${owner.id}/agents-${at}-${randomUUID()}.png`
        const { data } = await evidence(agent).createSignedUploadUrl(name)
        return { name, token: data?.token ?? '' }
      }),
    )
    const store = async (at: number) =>
      await nobody.uploadToSignedUrl(urls[at]?.name ?? '', urls[at]?.token ?? '', PNG)
    expect((await store(0)).error).toBeNull()
    await sql`update account_members set role = 'finance' where user_id = ${agent.id}`.execute(app.context.db)
    expect((await store(1)).error).toMatchObject({ code: 'InvalidJWT' })
    await sql`update account_members set role = 'agent' where user_id = ${agent.id}`.execute(app.context.db)
    await sql`update profiles set status = 'suspended' where user_id = ${agent.id}`.execute(app.context.db)
    expect((await store(1)).error).toMatchObject({ code: 'InvalidJWT' })
  })

  test('for an upload belongs to one name and stores one file, also after the file is removed', async () => {
    const name = `${owner.id}/signed-${randomUUID()}.png`
    const { data } = await evidence(owner).createSignedUploadUrl(name)
    const token = data?.token ?? ''
    const nobody = openStorage(app.url, undefined).from('evidence')
    expect((await nobody.uploadToSignedUrl(`${name}2`, token, PNG)).error).toMatchObject({
      code: 'InvalidJWT',
    })
    expect((await nobody.uploadToSignedUrl(name, token, 'no picture')).error).toMatchObject({
      statusCode: '415',
      message: "The file's bytes are of no type that is known here",
    })
    expect((await nobody.uploadToSignedUrl(name, token, PNG)).error).toBeNull()
    await evidence(owner).remove([name])
    expect((await nobody.uploadToSignedUrl(name, token, PNG)).error).toMatchObject({ statusCode: '409' })
  })
})
