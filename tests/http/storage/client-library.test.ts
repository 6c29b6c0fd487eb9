import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient as createOldClient } from 'supabase-js-2-50'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'
import { makeServiceKey, openStorage, type StorageOf } from './open-storage-client.ts'

// The cases of the client library's own live suite, by name, with a service key. Left out: image transformations and the
// second kind of list, which this server does not offer.

let app: TestApp
let key: string
let storage: StorageOf
let url: string
let folder: string
let textFile: string
const picture = randomBytes(29_000)

beforeAll(async () => {
  app = await startApp()
  key = await makeServiceKey(app.context)
  storage = openStorage(app.url, key)
  url = `${app.url}/storage/v1`
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-uploads-'))
  textFile = path.join(folder, 'file.txt')
  await writeFile(textFile, 'a text')
  await storage.createBucket('bucket-move', { public: true })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

let bucket: string
let name: string
beforeEach(async () => {
  bucket = await newBucket()
  name = `testpath/file-${randomUUID()}.jpg`
})

async function newBucket(settings: Partial<Parameters<StorageOf['createBucket']>[1]> = {}): Promise<string> {
  const id = `bucket-${randomUUID()}`
  const { error } = await storage.createBucket(id, { public: true, ...settings })
  expect(error).toBeNull()
  return id
}

const files = (): ReturnType<StorageOf['from']> => storage.from(bucket)
const upload = async (): Promise<void> => {
  expect((await files().upload(name, picture)).error).toBeNull()
}

describe('bucket api', () => {
  test('Get all buckets', async () => {
    const { data } = await storage.listBuckets()
    expect(data?.map(({ id }) => id)).toEqual(expect.arrayContaining(['evidence', bucket]))
  })

  test('Get bucket by id', async () => {
    const { data } = await storage.getBucket('receipts')
    expect(data).toEqual({
      id: 'receipts',
      name: 'receipts',
      owner: '',
      public: false,
      file_size_limit: 25_000_000,
      allowed_mime_types: null,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      type: 'STANDARD',
    })
  })

  test('Get bucket with wrong id', async () => {
    const { error } = await storage.getBucket('not-exist-id')
    expect(error).toMatchObject({ name: 'StorageApiError', message: 'Bucket not found', statusCode: '404' })
  })

  test('create new bucket', async () => {
    const id = `my-new-bucket-${randomUUID()}`
    expect((await storage.createBucket(id)).data).toEqual({ name: id })
    expect((await storage.createBucket(id)).error).toMatchObject({ statusCode: '409' })
  })

  test('create new public bucket', async () => {
    expect((await storage.getBucket(await newBucket({ public: true }))).data?.public).toBe(true)
  })

  test('update bucket', async () => {
    const changed = { public: false, fileSizeLimit: '20mb', allowedMimeTypes: ['image/jpeg'] }
    expect((await storage.updateBucket(bucket, changed)).data).toEqual({ message: 'Successfully updated' })
    expect((await storage.getBucket(bucket)).data).toMatchObject({
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/jpeg'],
    })
  })

  test('partially update bucket', async () => {
    const limited = await newBucket({ fileSizeLimit: '20mb', allowedMimeTypes: ['image/jpeg'] })
    expect((await storage.updateBucket(limited, { public: false })).error).toBeNull()
    expect((await storage.getBucket(limited)).data).toMatchObject({
      public: false,
      file_size_limit: 20_000_000,
      allowed_mime_types: ['image/jpeg'],
    })
  })

  test('empty bucket, delete bucket', async () => {
    await upload()
    expect((await storage.deleteBucket(bucket)).error).toMatchObject({ statusCode: '409' })
    expect((await storage.emptyBucket(bucket)).data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    })
    expect((await storage.deleteBucket(bucket)).data).toEqual({ message: 'Successfully deleted' })
    expect((await storage.getBucket(bucket)).error?.message).toBe('Bucket not found')
  })
})

describe('Generate urls', () => {
  test('get public URL, with download querystring, with custom for download', () => {
    const at = `${url}/object/public/${bucket}/${name}`
    expect(files().getPublicUrl(name).data.publicUrl).toBe(at)
    expect(files().getPublicUrl(name, { download: true }).data.publicUrl).toBe(`${at}?download=`)
    expect(files().getPublicUrl(name, { download: 'test.jpg' }).data.publicUrl).toBe(
      `${at}?download=test.jpg`,
    )
  })

  test('upload files error handling', async () => {
    const { data, error } = await storage.from('non-existent-bucket').upload(name, picture)
    expect([data, error?.message]).toEqual([null, 'Bucket not found'])
  })

  test('sign url', async () => {
    await upload()
    const { data } = await files().createSignedUrl(name, 2000)
    expect(data?.signedUrl).toContain(`${url}/object/sign/${bucket}/${name}`)
    const got = await fetch(data?.signedUrl ?? '')
    expect(Buffer.from(await got.arrayBuffer()).equals(picture)).toBe(true)
    expect((await files().createSignedUrl('non-existent-path', 2000)).error).toMatchObject({
      message: 'Either the object does not exist or you do not have access to it',
    })
  })

  test('sign url with download querystring parameter, with custom filename for download', async () => {
    await upload()
    const plain = await files().createSignedUrl(name, 2000, { download: true })
    expect(plain.data?.signedUrl).toContain('&download=')
    const named = await files().createSignedUrl(name, 2000, { download: 'test.jpg' })
    expect(named.data?.signedUrl).toContain('&download=test.jpg')
    const got = await fetch(named.data?.signedUrl ?? '')
    expect(got.headers.get('content-disposition')).toBe('attachment; filename=test.jpg')
    await got.arrayBuffer()
  })

  test('sign url with empty transform object uses object endpoint', async () => {
    await upload()
    const { data } = await files().createSignedUrl(name, 2000, { transform: {} })
    expect(data?.signedUrl).toContain(`${url}/object/sign/`)
  })

  test('sign urls without querystring', async () => {
    await upload()
    const { data } = await files().createSignedUrls([name, 'missing'], 2000)
    expect(data).toHaveLength(2)
    expect(data?.[0]).toMatchObject({ path: name, error: null })
    expect(data?.[1]).toMatchObject({ path: 'missing', signedUrl: null })
    expect((await fetch(data?.[0]?.signedUrl ?? '')).status).toBe(200)
  })
})

describe('Upload files', () => {
  const form = (): FormData => {
    const made = new FormData()
    made.append('', new Blob([picture]), 'file.txt')
    return made
  }
  test.each([
    ['form-data', form],
    ['buffer', () => picture],
    ['array buffer', () => new Uint8Array(picture).buffer],
    ['blob', () => new Blob([picture])],
    ['readable stream', () => createReadStream(textFile)],
  ])('uploading using %s', async (_kind, make) => {
    const { data, error } = await files().upload(name, make())
    expect([data?.path, data?.fullPath, error]).toEqual([name, `${bucket}/${name}`, null])
  })

  test('upload and update file', async () => {
    await upload()
    expect((await files().update(name, 'another text')).data?.path).toBe(name)
    expect(await (await files().download(name)).data?.text()).toBe('another text')
  })

  test.each(['raw', 'form'])('can upload with custom metadata, %s', async (kind) => {
    const metadata = { custom: 'metadata', second: 'zwölf' }
    const body = kind === 'raw' ? picture : new Blob([picture])
    expect((await files().upload(name, body, { metadata })).error).toBeNull()
    expect((await files().info(name)).data?.metadata).toEqual(metadata)
  })

  test('can upload a file within the file size limit', async () => {
    const limited = storage.from(await newBucket({ fileSizeLimit: '1mb' }))
    expect((await limited.upload(name, picture)).error).toBeNull()
  })

  test.each(['raw', 'form'])('cannot upload a file that exceed the file size limit, %s', async (kind) => {
    const limited = storage.from(await newBucket({ fileSizeLimit: '1kb' }))
    const { error } = await limited.upload(name, kind === 'raw' ? picture : new Blob([picture]))
    expect(error).toMatchObject({
      message: 'The object exceeded the maximum allowed size',
      statusCode: '413',
    })
  })

  test('can upload a file with a valid mime type, cannot with an invalid one', async () => {
    const pictures = storage.from(await newBucket({ allowedMimeTypes: ['image/png'] }))
    expect((await pictures.upload(name, picture, { contentType: 'image/png' })).error).toBeNull()
    const { error } = await pictures.upload(`${name}2`, picture, { contentType: 'image/jpeg' })
    expect(error).toMatchObject({ message: 'mime type image/jpeg is not supported', statusCode: '415' })
  })

  test('sign url for upload, can upload with a signed url, cannot upload to a signed url twice', async () => {
    const { data } = await files().createSignedUploadUrl(name)
    expect(data?.signedUrl).toContain(`${url}/object/upload/sign/${bucket}/${name}`)
    const token = data?.token ?? ''
    expect((await files().uploadToSignedUrl(name, token, picture)).data?.path).toBe(name)
    const { error } = await files().uploadToSignedUrl(name, token, picture)
    expect(error).toMatchObject({ message: 'The resource already exists', statusCode: '409' })
  })

  test('can upload overwriting files with a signed url, once', async () => {
    await upload()
    expect((await files().createSignedUploadUrl(name)).error).toMatchObject({ statusCode: '409' })
    const { data } = await files().createSignedUploadUrl(name, { upsert: true })
    const token = data?.token ?? ''
    expect((await files().uploadToSignedUrl(name, token, new Blob(['new']))).error).toBeNull()
    expect((await files().uploadToSignedUrl(name, token, 'newer')).error).toMatchObject({ statusCode: '409' })
    expect(await (await files().download(name)).data?.text()).toBe('new')
  })

  test('uploading stream with duplex option', async () => {
    const options = { duplex: 'half' }
    expect((await files().upload(name, createReadStream(textFile), options)).data?.path).toBe(name)
  })

  test('uploadToSignedUrl auto-detects stream and sets duplex', async () => {
    const { data } = await files().createSignedUploadUrl(name)
    const sent = await files().uploadToSignedUrl(name, data?.token ?? '', createReadStream(textFile))
    expect(sent.data?.path).toBe(name)
  })
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
