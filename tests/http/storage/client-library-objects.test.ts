import { createClient as createOldClient } from 'supabase-js-2-50'
import { beforeEach, describe, expect, test } from 'vitest'
import { startLiveSuite } from './start-live-suite.ts'

// The cases about objects of the client library's own live suite, by name, with a service key.

const suite = await startLiveSuite()
const { app, key, storage, picture, files, upload } = suite

let bucket: string
let name: string
beforeEach(() => {
  ;({ bucket, name } = suite)
})

describe('File operations', () => {
  test('list objects', async () => {
    await upload()
    const { data } = await files().list('testpath')
    expect(data).toEqual([
      expect.objectContaining({
        name: name.replace('testpath/', ''),
        id: expect.any(String) as string,
        updated_at: expect.any(String) as string,
        created_at: expect.any(String) as string,
        metadata: expect.objectContaining({ size: picture.length, cacheControl: 'max-age=3600' }) as object,
      }),
    ])
    expect((await files().list()).data).toMatchObject([{ name: 'testpath', id: null, metadata: null }])
  })

  test('list sorts, searches and pages', async () => {
    for (const one of ['b', 'a', 'C', 'folder/x']) await files().upload(`l/${one}`, one)
    const names = async (options: Parameters<ReturnType<typeof files>['list']>[1]): Promise<string[]> =>
      (await files().list('l/', options)).data?.map((entry) => entry.name) ?? []

    expect(await names({})).toEqual(['folder', 'C', 'a', 'b'])
    expect(await names({ sortBy: { column: 'name', order: 'desc' } })).toEqual(['folder', 'b', 'a', 'C'])
    expect(await names({ sortBy: { column: 'created_at', order: 'asc' } })).toEqual(['folder', 'b', 'a', 'C'])
    expect(await names({ limit: 2, offset: 1 })).toEqual(['C', 'a'])
    expect(await names({ search: 'c' })).toEqual(['C'])
    for (const one of ['folder-2/x', 'folder/deep/x', 'other/x', 'lone/x'])
      await files().upload(`l/${one}`, one)
    expect(await names({ limit: 3 })).toEqual(['folder-2', 'folder', 'lone'])
    expect(await names({ sortBy: { column: 'name', order: 'desc' }, limit: 6 })).toEqual([
      'other',
      'lone',
      'folder',
      'folder-2',
      'b',
      'a',
    ])
    expect(await names({ search: 'FOL' })).toEqual(['folder-2', 'folder'])
    expect(await names({ sortBy: { column: 'updated_at', order: 'desc' }, offset: 3, limit: 2 })).toEqual([
      'folder-2',
      'C',
    ])
    expect((await files().list('l/folder')).data?.map((entry) => entry.name)).toEqual(['deep', 'x'])
    const { error } = await files().list('l', { sortBy: { column: 'sha256; drop', order: 'asc' } })
    expect(error).toMatchObject({ statusCode: '400' })
  })

  test('move object to different path', async () => {
    await upload()
    const { data } = await files().move(name, `${name}-moved`)
    expect(data?.message).toBe('Successfully moved')
    expect((await files().move('non-existent', `${name}-moved`)).error?.message).toBe('Object not found')
    await upload()
    expect((await files().move(name, `${name}-moved`)).error).toMatchObject({ statusCode: '409' })
  })

  test('move object across buckets in different path', async () => {
    await upload()
    await files().move(name, name, { destinationBucket: 'bucket-move' })
    expect((await storage.from('bucket-move').download(name)).error).toBeNull()
    expect((await files().download(name)).error).not.toBeNull()
  })

  test('copy object to different path', async () => {
    await upload()
    expect((await files().copy(name, `${name}-copy`)).data?.path).toBe(`${bucket}/${name}-copy`)
    expect((await files().download(name)).error).toBeNull()
  })

  test('copy object across buckets to different path', async () => {
    await upload()
    const { data } = await files().copy(name, `${name}-2`, { destinationBucket: 'bucket-move' })
    expect(data?.path).toBe(`bucket-move/${name}-2`)
  })

  test('downloads an object, and as a stream', async () => {
    await upload()
    const { data } = await files().download(name)
    expect([data?.size, data?.type]).toEqual([picture.length, 'text/plain;charset=utf-8'])
    const stream = await files().download(name).asStream()
    expect((await new Response(stream.data).arrayBuffer()).byteLength).toBe(picture.length)
    expect((await files().download('non-existent-file')).error?.message).toBe('Object not found')
  })

  test('removes an object', async () => {
    await upload()
    const { data } = await files().remove([name, 'missing'])
    expect(data).toEqual([expect.objectContaining({ name, bucket_id: bucket })])
    expect((await files().download(name)).error).not.toBeNull()
  })

  test('get object info', async () => {
    await upload()
    const { data } = await files().info(name)
    expect(data).toMatchObject({
      id: expect.any(String) as string,
      name,
      bucketId: bucket,
      createdAt: expect.any(String) as string,
      cacheControl: 'max-age=3600',
      size: picture.length,
      etag: expect.any(String) as string,
      lastModified: expect.any(String) as string,
      contentType: 'text/plain;charset=UTF-8',
      metadata: {},
      version: expect.any(String) as string,
    })
    expect(data).not.toHaveProperty('updatedAt')
    expect((await files().info('non-existent')).error).not.toBeNull()
  })

  test('check if object exists', async () => {
    await upload()
    expect((await files().exists(name)).data).toBe(true)
    expect((await files().exists('do-not-exists')).data).toBe(false)
  })
})

describe('download with fetch parameters', () => {
  test('with abort signal', async () => {
    await upload()
    const { error } = await files().download(name, {}, { signal: AbortSignal.abort() })
    expect(error?.message).toContain('abort')
  })

  test('with cache control, cacheNonce querystring, without parameters', async () => {
    await upload()
    expect((await files().download(name, {}, { cache: 'no-store' })).error).toBeNull()
    expect((await files().download(name, { cacheNonce: '1' })).data?.size).toBe(picture.length)
    expect((await files().download(name)).data?.size).toBe(picture.length)
  })
})

test('upload and list file in bucket', async () => {
  expect((await files().upload('test.txt', 'Hello', { upsert: true })).error).toBeNull()
  expect((await files().list()).data?.some((entry) => entry.name === 'test.txt')).toBe(true)
  expect((await files().remove(['test.txt'])).error).toBeNull()
})

test('version 2.50.0 of the library stores, reads, lists, signs and removes', async () => {
  const old = createOldClient(app.url, key, { auth: { persistSession: false } }).storage.from(bucket)
  expect((await old.upload(name, new Blob([picture]))).data?.path).toBe(name)
  expect((await old.upload(name, picture)).error?.message).toBe('The resource already exists')
  expect((await old.download(name)).data?.size).toBe(picture.length)
  expect((await old.list('testpath')).data).toHaveLength(1)
  expect([(await old.exists(name)).data, (await old.exists('missing')).data]).toEqual([true, false])
  const { data } = await old.createSignedUrl(name, 60)
  expect((await fetch(data?.signedUrl ?? '')).status).toBe(200)
  expect((await old.remove([name])).data).toHaveLength(1)
})
