import { createHash, randomBytes } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addressOfObject } from '#core/file-store/s3-requests.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { openS3Store } from '#core/file-store/s3-store.ts'
import { hasDockerEngine } from '#scripts/services/docker.ts'
import { startS3Server, type S3Server } from '#tests/support/peers/s3-server.ts'

const LIMITS = { connectMs: 1000, silenceMs: 300, slowestBytesPerMs: 1000, backoffMs: [1, 2] }
const LARGE = 2_000_000

let s3: S3Server
let store: FileStore
let folder: string
beforeEach(async () => {
  s3 = await startS3Server()
  folder = mkdtempSync(path.join(tmpdir(), 's3-store-'))
  store = openS3Store(s3.settings, { folder, reserveBytes: 0 }, LIMITS)
})
afterEach(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

async function* piecesOf(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}
const write = (bytes: Buffer | string) => store.write(piecesOf(Buffer.from(bytes)), { mostBytes: LARGE })
const unfinished = () => readdirSync(path.join(folder, 'unfinished'))
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const read = async (hash: string, range?: { start: number; end: number }) =>
  await text(await store.read(hash, range))
const away = { name: 'FileStoreAway' }

test('keeps bytes under their hash, in one signed PUT, and gives them back whole or in part', async () => {
  const bytes = randomBytes(300_000).toString('hex')
  const hash = sha256(bytes)

  expect(await write(bytes)).toEqual({ sha256: hash, size: 600_000 })
  expect([...s3.objects.keys()]).toEqual([`${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`])
  expect(await read(hash)).toBe(bytes)
  expect(await read(hash, { start: 10, end: 19 })).toBe(bytes.slice(10, 20))
  await store.remove(hash)
  expect(s3.objects.size).toBe(0)
  await expect(store.read(hash)).rejects.toMatchObject({ name: 'FileMissing' })
  await store.remove(hash)
  expect(s3.requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
    'PUT 200',
    'GET 200',
    'GET 206',
    'DELETE 204',
    'GET 404',
    'DELETE 204',
  ])
  expect(unfinished()).toEqual([])
})

test('keeps a file without bytes', async () => {
  expect(await write('')).toEqual({ sha256: sha256(''), size: 0 })
  expect(await read(sha256(''))).toBe('')
})

test('sends again what failed on the way, and what the service could not do', async () => {
  s3.fail({ status: 503, code: 'SlowDown' }, 'breaks')
  await write('lead')
  s3.fail({ status: 500 }, { status: 429 })
  expect(await read(sha256('lead'))).toBe('lead')
  expect(s3.requests).toHaveLength(6)
})

test.each([
  ['answers 500', { status: 500 } as const, 3],
  ['refuses the key', { status: 403, code: 'AccessDenied' } as const, 1],
  ['sends elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:9/' } } as const, 1],
  ['breaks connections', 'breaks' as const, 3],
  ['does not answer', 'hangs' as const, 3],
])('a service that %s is away, and nothing is left of the upload', async (_, fault, requests) => {
  s3.failAlways(fault)
  await expect(write('lead')).rejects.toMatchObject(away)
  expect(s3.requests).toHaveLength(requests)
  if (fault !== 'hangs') {
    await expect(store.read(sha256('lead'))).rejects.toMatchObject(away)
    await expect(store.remove(sha256('lead'))).rejects.toMatchObject(away)
  }
  s3.failAlways(undefined)
  expect(s3.objects.size).toBe(0)
  expect(unfinished()).toEqual([])
  await write('lead')
  expect(await read(sha256('lead'))).toBe('lead')
})

test('a service that is gone, a bucket that does not exist and a wrong secret are an absence', async () => {
  for (const wrong of [
    { endpoint: 'http://127.0.0.1:9' },
    { bucket: 'another' },
    { secret: 'not the secret' },
  ]) {
    const lost = openS3Store({ ...s3.settings, ...wrong }, { folder, reserveBytes: 0 }, LIMITS)
    await expect(lost.write(piecesOf(Buffer.from('lead')), { mostBytes: 10 })).rejects.toMatchObject(away)
  }
  expect(s3.objects.size).toBe(0)
})

test('a download that breaks off fails, so that nobody takes a part for the whole', async () => {
  const bytes = randomBytes(500_000).toString('hex')
  await write(bytes)
  s3.fail('breaks-half-way')
  await expect(read(sha256(bytes))).rejects.toMatchObject(away)
})

test('an upload that breaks off, or is too large, never reaches the service', async () => {
  async function* breaks(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('half'))
    throw new Error('the caller hung up')
  }
  await expect(store.write(breaks(), { mostBytes: LARGE })).rejects.toThrow('the caller hung up')
  await expect(store.write(piecesOf(Buffer.from('lead')), { mostBytes: 3 })).rejects.toMatchObject({
    name: 'FileTooLarge',
  })
  expect(s3.requests).toEqual([])
  expect(unfinished()).toEqual([])
})

test('the bucket is the first folder of the path, or the first label of the host', () => {
  const settings = { ...s3.settings, endpoint: 'https://s3.example.com:8443/base' }
  expect(addressOfObject(settings, 'ab/abc')).toBe('https://s3.example.com:8443/base/leadwire-files/ab/abc')
  expect(addressOfObject({ ...settings, pathStyle: false }, 'ab/abc')).toBe(
    'https://leadwire-files.s3.example.com:8443/base/ab/abc',
  )
})

/** MinIO in a container, with an empty bucket; undefined if no Docker engine answers. */
async function startMinio() {
  if (!(await hasDockerEngine())) return undefined
  const { GenericContainer } = await import('testcontainers')
  const [keyId, secret, bucket] = ['leadwire', 'a secret of the test', 'leadwire-files']
  const container = await new GenericContainer('minio/minio')
    .withEnvironment({ MINIO_ROOT_USER: keyId, MINIO_ROOT_PASSWORD: secret })
    .withCommand(['server', '/data'])
    .withExposedPorts(9000)
    .start()
  const endpoint = `http://${container.getHost()}:${container.getMappedPort(9000)}`
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region: 'us-east-1',
  })
  await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
  const settings = { endpoint, bucket, keyId, secret, region: 'us-east-1', pathStyle: true }
  return { settings, stop: () => container.stop() }
}

test('MinIO keeps bytes, gives them back and removes them', async ({ skip }) => {
  const minio = await startMinio()
  if (minio === undefined) return skip('no Docker engine answers')
  store = openS3Store(minio.settings, { folder, reserveBytes: 0 })
  const bytes = randomBytes(300_000).toString('hex')
  const { sha256: hash } = await write(bytes)
  expect(await read(hash)).toBe(bytes)
  expect(await read(hash, { start: 10, end: 19 })).toBe(bytes.slice(10, 20))
  await store.remove(hash)
  await expect(store.read(hash)).rejects.toMatchObject({ name: 'FileMissing' })
  await minio.stop()
})
