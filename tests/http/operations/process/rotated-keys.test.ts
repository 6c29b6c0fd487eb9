import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { leadFor } from '#scripts/chaos/send-leads.ts'
import { SEED, setUpClients, type BenchClient } from '#scripts/bench/set-up-clients.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { receiveRequests, type ReceivedRequest } from '#scripts/lab/receiver/receive-requests.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import { makeKeys } from '#scripts/services/make-keys.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'

/** Milliseconds between two leads. */
const APART_MS = 40

let environment: LabEnvironment
let env: Record<string, string>
let server: LabServer
let worker: LabProcess
let client: BenchClient
let receiver: Awaited<ReturnType<typeof receiveRequests>>
const received: ReceivedRequest[] = []

/** The secrets, in files, so that a process that is started again finds other ones. */
const secrets = { SECRETS_KEY: '', AUTH_SIGNING_KEYS: '', METRICS_TOKEN: 'the-first-metrics-token' }
async function write(changes: Partial<typeof secrets>): Promise<void> {
  Object.assign(secrets, changes)
  for (const [name, value] of Object.entries(secrets))
    await writeFile(path.join(env['DATA_DIR'] ?? '', name), `${value}\n`)
}
async function restart(): Promise<void> {
  for (const one of [worker, server]) {
    expect(await one.stop()).toBe(0)
    await one.restart()
  }
}
const call = (method: string, where: string, token: string, body: object = {}) =>
  fetch(`${server.url}${where}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  })

beforeAll(async () => {
  environment = await createTestEnvironment()
  const { SECRETS_KEY = '', JWT_PRIVATE_JWK = '', ...others } = environment.env
  const file = (name: string): string => path.join(others['DATA_DIR'] ?? '', name)
  env = { ...others, ...SEED }
  for (const name of Object.keys(secrets)) env[`${name}_FILE`] = file(name)
  await write({ SECRETS_KEY, AUTH_SIGNING_KEYS: `[${JWT_PRIVATE_JWK}]` })
  receiver = await receiveRequests({
    answer: (request) => {
      received.push(request)
      return 'ok'
    },
  })
  server = await startServer(env)
  worker = await startWorker(env)
  const [made] = await setUpClients(server.url, [[`http://127.0.0.1:${receiver.port}/leads`]])
  if (made === undefined) throw new Error('No client was made')
  client = made
}, 120_000)
afterAll(async () => {
  await Promise.all([worker.kill(), server.kill()])
  await receiver.close()
  await environment.close()
})

test('every key is replaced under load: no delivery fails, and nobody is signed out', async () => {
  const { JWT_PRIVATE_JWK: newSigning } = await makeKeys()
  const newKey = randomBytes(32).toString('base64')
  const { SECRETS_KEY: oldKey, AUTH_SIGNING_KEYS: oldSigning } = secrets
  const sign = { email: SEED.SEED_ADMIN_EMAIL, password: SEED.SEED_ADMIN_PASSWORD }
  const admin = (
    (await (await call('POST', '/auth/v1/token?grant_type=password', '', sign)).json()) as {
      access_token: string
    }
  ).access_token
  const config = `/api/v1/webhook-configs/${client.configurations[0] ?? ''}`
  const readSecret = async (): Promise<string> =>
    ((await (await call('GET', `${config}/secret`, client.token)).json()) as { secret: string }).secret
  const signing = [await readSecret()]

  // The load: leads, and a person whose token was made before any rotation.
  let sourceKey = client.key
  const end = new AbortController()
  const accepted: string[] = []
  const refused: number[] = []
  const answers = new Map<number, number>()
  const post = async (number: number): Promise<void> => {
    const headers = {
      authorization: `Bearer ${sourceKey}`,
      'content-type': 'application/json',
      'idempotency-key': `lead-${number}`,
    }
    const body = JSON.stringify(leadFor(`lead-${number}`, 0))
    for (;;) {
      // A server that restarts refuses connections for a moment; sources repeat then.
      const answer = await fetch(`${server.url}/api/v1/leads`, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      if (answer?.ok === true) {
        accepted.push(((await answer.json()) as { lead_id: string }).lead_id)
        return
      }
      if (answer !== undefined && answer.status < 500) {
        refused.push(answer.status)
        return
      }
      await sleep(100)
    }
  }
  const load = (async () => {
    const posts: Promise<void>[] = []
    for (let number = 0; !end.signal.aborted; number += 1) {
      posts.push(post(number))
      const me = await call('GET', '/api/v1/me', client.token).catch(() => undefined)
      if (me !== undefined) answers.set(me.status, (answers.get(me.status) ?? 0) + 1)
      await sleep(APART_MS)
    }
    await Promise.all(posts)
  })()

  // SECRETS_KEY, the signing key and METRICS_TOKEN, process by process.
  const newToken = 'the-second-metrics-token'
  await write({
    SECRETS_KEY: `${newKey},${oldKey}`,
    AUTH_SIGNING_KEYS: `[${oldSigning.slice(1, -1)},${newSigning}]`,
    METRICS_TOKEN: newToken,
  })
  await restart()
  const rotating = runScript({ script: 'scripts/leadwire.ts', args: ['secrets', 'rotate', '--json'], env })
  // Meanwhile the webhook's signing secret, and the key of the source.
  await call('POST', `${config}/secret/rotate`, client.token)
  signing.push(await readSecret())
  const { data: sources } = (await (await call('GET', '/api/v1/admin/sources', admin)).json()) as {
    data: Array<{ id: string; keys: Array<{ id: string }> }>
  }
  const [source] = sources
  const added = (await (
    await call('POST', `/api/v1/admin/sources/${source?.id ?? ''}/keys`, admin)
  ).json()) as {
    api_key: string
  }
  sourceKey = added.api_key
  // Leads that were posted with the older key are accepted before it ends.
  await waitUntil(() => received.length > 20, { what: 'deliveries' })
  const rotated = await rotating
  expect({ code: rotated.code, stderr: rotated.code === 0 ? '' : rotated.stderr }).toEqual({
    code: 0,
    stderr: '',
  })
  expect(JSON.parse(rotated.stdout)).toMatchObject({ is_done: true, unreadable: [] })
  await call('DELETE', `/api/v1/admin/source-keys/${source?.keys[0]?.id ?? ''}`, admin)

  await write({ SECRETS_KEY: newKey, AUTH_SIGNING_KEYS: `[${newSigning},${oldSigning.slice(1, -1)}]` })
  await restart()
  const before = accepted.length
  await waitUntil(() => accepted.length > before + 20, { what: 'leads with all new keys' })
  end.abort()
  await load

  const { db, close } = openDatabase(
    { url: environment.databaseUrl, poolSize: 1, name: 'leadwire-test' },
    () => undefined,
  )
  try {
    const states = async () =>
      (
        await sql<{ state: string; attempt: number; count: number }>`
          select state, attempt, count(*)::integer as count from webhook_deliveries group by 1, 2`.execute(db)
      ).rows
    const isDrained = async () => (await states()).every(({ state }) => state === 'delivered')
    await waitUntil(isDrained, { what: 'all deliveries being made', timeoutMs: 60_000 })
    // One attempt each, so none has failed.
    expect(await states()).toEqual([{ state: 'delivered', attempt: 1, count: new Set(accepted).size }])
  } finally {
    await close()
  }
  expect(received).toHaveLength(new Set(accepted).size)
  for (const { headers, body } of received) {
    const isSigned = signing.some((secret) => {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    })
    expect(isSigned).toBe(true)
  }
  expect(refused).toEqual([])
  expect([...answers.keys()]).toEqual([200])
  const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${newToken}` } })
  expect(metrics.status).toBe(200)
}, 240_000)
