import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { REPOSITORY } from '#scripts/lab/spawn-script.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { administer } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findProgram, startServer } from '#scripts/lab/start-product.ts'
import { startProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { serviceVariable } from '#tests/support/services/services.ts'
import packageFile from '../../../../package.json' with { type: 'json' }
import { headOf, openLine } from '../../support/speak-http.ts'

let environment: LabEnvironment
beforeAll(async () => {
  environment = await createTestEnvironment()
})
afterAll(() => environment.close())

/** Starts the server with a fault in its environment and returns its output. */
async function startFaulty(variables: Record<string, string>): Promise<string> {
  const started = startProcess({
    script: findProgram('server'),
    env: { ...environment.env, ...variables },
    isReady: () => false,
  })
  return await started.then(
    () => '',
    (error: unknown) => String(error),
  )
}

describe('the server does not start', () => {
  test('without its keys and services, and lists every fault at once', async () => {
    const output = await startFaulty({
      DATABASE_URL: '',
      REDIS_URL: '',
      PORT: 'eighty',
      JWT_PRIVATE_JWK: '{}',
    })

    for (const name of ['DATABASE_URL', 'REDIS_URL', 'PORT', 'JWT_PRIVATE_JWK'])
      expect(output).toContain(`${name}: `)
  })

  test('without a signing key', async () => {
    expect(await startFaulty({ JWT_PRIVATE_JWK: '' })).toContain('JWT_PRIVATE_JWK: is required')
  })

  test('on a database that was never migrated', async () => {
    const name = `leadwire_empty_${randomBytes(4).toString('hex')}`
    const server = serviceVariable('TEST_DATABASE_URL')
    await administer(server, `create database ${name}`)
    const url = new URL(server)
    url.pathname = `/${name}`
    const output = await startFaulty({ DATABASE_URL: url.href })
    await administer(server, `drop database ${name} with (force)`)

    expect(output).toContain('run `npm run migrate`')
  })

  test('with another SECRETS_KEY than that of the database’s secrets', async () => {
    const first = await startServer(environment.env)
    expect(await first.stop()).toBe(0)

    const output = await startFaulty({ SECRETS_KEY: randomBytes(32).toString('base64') })
    expect(output).toContain('does not open with this SECRETS_KEY')
  })
})

test('npm start lists every fault of the environment before it starts anything', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-start-'))
  const faults = { PORT: '99999', WEBHOOK_TIMEOUT_MS: 'soon', METRICS_TOKEN: 'short', DATA_DIR: folder }
  const { code, output } = await runScript({ script: 'scripts/start.ts', env: faults })
  await rm(folder, { recursive: true })

  expect(code).toBe(1)
  for (const name of ['PORT', 'WEBHOOK_TIMEOUT_MS', 'METRICS_TOKEN']) expect(output).toContain(`${name}: `)
  expect(output).not.toContain('Starting PostgreSQL')
})

test('an unknown HTTP method is answered with a problem', async () => {
  const server = await startServer(environment.env)
  const response = await fetch(`${server.url}/api/v1/leads`, { method: 'FOO' })
  await server.stop()

  expect(response.headers.get('content-type')).toContain('application/problem+json')
  expect(await response.json()).toMatchObject({ status: 405, code: 'method_not_allowed' })
  expect(response.status).toBe(405)
})

test('the number of accounts that skip checks is logged as a warning, only in production', async () => {
  const warnings: unknown[] = []
  for (const NODE_ENV of ['production', 'test']) {
    const server = await startServer({
      ...environment.env,
      NODE_ENV,
      BYPASS_ACCOUNTS: 'tester@example.com, second@example.com',
      AUTH_PASSWORD_MEMORY_KIB: '19456',
      AUTH_EVEN_MS: '250',
      LOG_LEVEL: 'warn',
    })
    await server.stop()
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('BYPASS_ACCOUNTS is set'))
    warnings.push(...lines.map((line): unknown => JSON.parse(line)))
    expect(server.output()).not.toContain('tester@example.com')
  }
  expect(warnings).toEqual([expect.objectContaining({ accounts: 2 })])
})

test('a body of 5 GB is refused before it arrives', async () => {
  const server = await startServer(environment.env)
  const line = await openLine(server.url)
  line.say(headOf('POST /auth/v1/signup', { 'Content-Length': 5_000_000_000 }))

  expect(await line.hears(413)).toContain('Connection: close')
  line.hangUp()
  await server.stop()
})

test.for(['server', 'worker'] as const)('a %s that has just become ready stops in order', async (name) => {
  const { code, output } = await runScript({
    script: findProgram(name),
    env: { ...environment.env, PORT: '0', LOG_LEVEL: 'info' },
    preloads: [fileURLToPath(new URL('../../support/stop-when-ready.ts', import.meta.url))],
  })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`"${name} stopped"`) as string,
  })
})

function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}

test.for(['server', 'worker'])('SIGTERM to `npm run %s` ends the process that npm started', async (name) => {
  const port = await freePort()
  const child = spawn('npm', ['run', name], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      ...environment.env,
      PORT: String(port),
      METRICS_PORT: String(port),
      BUILD_REVISION: 'abc1234',
    },
    stdio: 'ignore',
    detached: true,
  })
  // A process that outlives npm fails the test, and must not stay behind.
  onTestFinished(() => {
    if (child.pid !== undefined && isGroupAlive(child.pid)) process.kill(-child.pid, 'SIGKILL')
  })
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    return (await response?.json()) as { version: string; revision: string } | undefined
  }
  await waitUntil(async () => (await ask()) !== undefined, { what: name, timeoutMs: 60_000 })
  expect(await ask()).toEqual({ status: 'alive', version: packageFile.version, revision: 'abc1234' })
  child.kill('SIGTERM')
  await waitUntil(async () => (await ask()) === undefined, { what: 'The end', timeoutMs: 30_000 })
})

describe('on SIGTERM the server', () => {
  test('answers the request in flight, accepts no new one, and exits with 0', async () => {
    const server = await startServer(environment.env)
    const { port } = new URL(server.url)
    const socket = createConnection(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    let answer = ''
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8')
    })
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'x' })
    socket.write(
      `POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    // The server knows the request once it has asked for its body; a second connection proves that time has
    // passed.
    await fetch(`${server.url}/healthz`)

    const stopped = server.stop()
    await waitUntil(() => server.output().includes('server stops'), { what: 'The stop' })
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    socket.write(body.slice(5))

    expect(await stopped).toBe(0)
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  test('behind a proxy first says that it is not ready, and still handles what comes', async () => {
    const server = await startServer({ ...environment.env, TRUST_PROXY: '1' })
    const stopped = server.stop()
    const isReady = async () => (await fetch(`${server.url}/readyz`)).ok
    await waitUntil(async () => !(await isReady()), { what: 'The notice' })
    const { status, headers } = await fetch(`${server.url}/healthz`)

    expect([status, headers.get('connection')]).toEqual([200, 'close'])
    expect(await stopped).toBe(0)
  })
})

test('while the database is away, calls are answered 503 with Retry-After, and work again afterwards', async () => {
  const own = await createTestEnvironment()
  const server = await startServer(own.env)
  const name = new URL(own.databaseUrl).pathname.slice(1)
  const admin = serviceVariable('TEST_DATABASE_URL')
  const call = () =>
    fetch(`${server.url}/api/v1/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer lw_src_${'A'.repeat(43)}` },
    })

  await administer(admin, `alter database ${name} allow_connections false`)
  await administer(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const away = await waitUntil(async () => {
    const response = await call()
    return response.status === 401 ? false : response
  })
  expect({ status: away.status, retry: away.headers.get('retry-after') }).toEqual({ status: 503, retry: '2' })
  expect(await away.json()).toMatchObject({ code: 'unavailable' })
  const ready = await fetch(`${server.url}/readyz`)
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 503,
    body: { missing: ['database'] },
  })

  await administer(admin, `alter database ${name} allow_connections true`)
  const back = await waitUntil(async () => (await call()).status === 401)
  expect(back).toBe(true)
  await server.stop()
  await own.close()
})
