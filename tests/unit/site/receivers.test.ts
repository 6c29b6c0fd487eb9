import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createSigningSecret, signPayload } from '#core/endpoint/sign.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { readSamples } from '#tests/support/samples/read-samples.ts'
import { isThere } from '#tests/support/samples/runtimes.ts'

const RECEIVERS = [
  { slug: 'first-webhook', file: 'receiver.py', command: 'python3', states: ['new', 'new'] },
  { slug: 'receive-leads-well', file: 'receiver.mjs', command: process.execPath, states: ['new', 'test'] },
]
const secret = createSigningSecret()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts the receiver of a page as a reader does, on its own port. */
async function start({ slug, file, command }: (typeof RECEIVERS)[number], given = secret) {
  const page = readPages('documentation').find((one) => one.slug === slug)
  const sample = readSamples(page ?? { path: '', markdown: '' }).find(({ values }) => values['file'] === file)
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-receiver-'))
  const port = await freePort()
  await writeFile(path.join(folder, file), sample?.text.replaceAll(/\b8000\b/g, String(port)) ?? '')
  const child = spawn(command, [file], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, PYTHONUNBUFFERED: '1', WEBHOOK_SECRET: given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  closing.push(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return { child, port, folder }
}

async function listening(child: ChildProcess): Promise<void> {
  if (child.stdout !== null) await once(child.stdout, 'data')
}

interface Answer {
  status: number | undefined
  reason: string
}

function post(port: number, headers: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, reason: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function signed(id: string, body: string, more: Record<string, string> = {}): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signPayload([secret], id, timestamp, body),
    'leadwire-event': 'lead.assigned',
    ...more,
  }
}

describe.each(RECEIVERS)('the receiver $file', (receiver) => {
  const isHere = isThere(receiver.command)

  it.runIf(isHere)('keeps each message once, and ignores tests of the endpoint', async () => {
    const { child, port, folder } = await start(receiver)
    await listening(child)
    const lead = '{"name":"Zoë 😀","is_test":false}'
    for (const id of ['one', 'one', 'two'])
      expect(await post(port, signed(id, lead), lead)).toMatchObject({ status: 200 })
    const test = '{"name":"Test Lead","is_test":true}'
    expect(await post(port, signed('three', test), test)).toMatchObject({ status: 200 })
    const ping = signed('four', test, { 'leadwire-event': 'test' })
    expect(await post(port, ping, test)).toMatchObject({ status: 200 })
    const db = new DatabaseSync(path.join(folder, 'leads.db'))
    const rows = db.prepare('select id, state, body from leads order by rowid').all()
    db.close()
    expect(rows.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    expect(rows.slice(1).map(({ state }) => state)).toEqual(receiver.states)
    expect(rows[0]?.['body']).toBe(lead)
  })

  it.runIf(isHere)('explains each refusal, and keeps running', async () => {
    const { child, port } = await start(receiver)
    await listening(child)
    const refusal = { status: 401, reason: 'signature does not fit' }
    const odd: Record<string, string>[] = [
      { 'webhook-id': 'other' },
      { 'webhook-timestamp': '9'.repeat(5000) },
      { 'webhook-timestamp': 'now' },
      { 'webhook-timestamp': '1614265330' },
      { 'webhook-signature': '' },
      { 'webhook-signature': 'v1,äöü v1 ,' },
    ]
    for (const headers of odd)
      expect(await post(port, signed('one', '{}', headers), '{}'), JSON.stringify(headers)).toEqual(refusal)
    expect(await post(port, signed('one', '{}', { 'content-length': '2000000' }), '')).toMatchObject({
      status: 413,
    })
    expect(await post(port, signed('one', '{}'), '{}')).toMatchObject({ status: 200 })
  })

  it.runIf(isHere).each(['whsec_', 'whsec_…', 'whsec_PASTE_YOURS'])(
    'refuses to start with the secret %s, and says how to correct it',
    async (given) => {
      const { child } = await start(receiver, given)
      let words = ''
      child.stderr.on('data', (chunk: Buffer) => {
        words += chunk.toString('utf8')
      })
      const [status] = (await once(child, 'close')) as [number]
      expect(status).toBe(1)
      expect(words).toBe('WEBHOOK_SECRET is not whole: copy it again, from whsec_ to its end\n')
    },
  )
})
