// Servers die while files are uploaded: no half file is visible, and the sender goes on or begins again.
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request as askPlainly } from 'node:http'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Processes run one after the other, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const ORIGIN = 'https://leads.example.com'
const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }
const HALF = 1_000_000

test('uploads whose server is killed in the middle and at the end become one file each', async (context) => {
  const { pipeline, client, server } = await setUpCrashPoint(context, { env: { PUBLIC_URL: ORIGIN } })
  const config = loadConfig(pipeline.environment.env)
  const key = await signServiceToken(await loadSigningKeys(config), {
    issuer: issuerOf({ config }),
    days: 1,
    now: Math.floor(Date.now() / 1000),
  })
  const bytes = { plain: randomBytes(2 * HALF), resumed: randomBytes(2 * HALF) }
  const nameOf = (what: keyof typeof bytes): string => `${client}/${what}.csv`
  const headers = { authorization: `Bearer ${key}` }
  const ask = (url: string, method: string, more: Record<string, string> = {}, body?: Uint8Array) =>
    fetch(url, { method, headers: { ...headers, ...more }, ...(body && { body: Uint8Array.from(body) }) })

  /** Sends the first half of a body and leaves the rest. */
  const sendHalf = (url: string, method: string, more: Record<string, string>, body: Buffer): void => {
    const sending = askPlainly(url, {
      method,
      headers: { ...headers, ...more, 'content-length': String(body.length) },
    })
    sending.once('error', () => undefined)
    sending.write(body.subarray(0, HALF))
  }
  const sizes = async (folder: string): Promise<number[]> => {
    const inside = path.join(config.files.folder, folder)
    const names = await readdir(inside).catch(() => [])
    const found = await Promise.all(names.map((name) => stat(path.join(inside, name))))
    return found.filter((one) => one.isFile() && one.size > 10_000).map(({ size }) => size)
  }
  const files = async () =>
    (
      await sql<{ name: string; size: number }>`
        select name, size::int as size from stored_files where sha256 in (select sha256 from file_contents) order by name`.execute(
        pipeline.db,
      )
    ).rows

  const first = await server()
  const begun = await ask(`${first.url}/storage/v1/upload/resumable`, 'POST', {
    'tus-resumable': '1.0.0',
    'upload-length': String(2 * HALF),
    'upload-metadata': `bucketName ${btoa('imports')},objectName ${btoa(nameOf('resumed'))},contentType ${btoa('text/csv')}`,
  })
  const upload = begun.headers.get('location') ?? ''
  sendHalf(first.url + upload, 'PATCH', { ...TUS, 'upload-offset': '0' }, bytes.resumed)
  sendHalf(
    `${first.url}/storage/v1/object/imports/${nameOf('plain')}`,
    'POST',
    { 'content-type': 'text/csv' },
    bytes.plain,
  )
  await waitUntil(async () => (await sizes('unfinished')).length + (await sizes('resumable')).length === 2, {
    what: 'Both uploads on the disk',
  })
  await waitUntil(async () => (await sizes('resumable'))[0] === HALF, { what: 'Half of the resumable one' })
  await first.kill()
  expect(await files()).toEqual([])

  const second = await server({ FAILPOINTS: 'after-upload=exit' })
  const half = await ask(second.url + upload, 'HEAD', { 'tus-resumable': '1.0.0' })
  expect(half.headers.get('upload-offset')).toBe(String(HALF))
  await ask(
    second.url + upload,
    'PATCH',
    { ...TUS, 'upload-offset': String(HALF) },
    bytes.resumed.subarray(HALF),
  ).catch(() => undefined)
  await second.ended()
  expect(await files()).toEqual([{ name: nameOf('resumed'), size: 2 * HALF }])

  const third = await server()
  const whole = await ask(third.url + upload, 'HEAD', { 'tus-resumable': '1.0.0' })
  expect([whole.status, whole.headers.get('upload-offset')]).toEqual([200, String(2 * HALF)])
  const plain = `${third.url}/storage/v1/object/imports/${nameOf('plain')}`
  expect((await ask(plain, 'GET')).status).toBe(400)
  expect((await ask(plain, 'POST', { 'content-type': 'text/csv' }, bytes.plain)).status).toBe(200)
  for (const what of ['plain', 'resumed'] as const) {
    const read = await ask(`${third.url}/storage/v1/object/imports/${nameOf(what)}`, 'GET')
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes[what]), what).toBe(true)
  }
  // The rest of the killed plain upload goes with the next clean-up, and the bytes of the resumed one are nowhere twice.
  expect([await sizes('resumable'), (await sizes('unfinished')).length]).toEqual([[], 1])
  await pipeline.context.files.removeUnfinished(new Date(Date.now() + 60_000))
  expect(await sizes('unfinished')).toEqual([])
})
