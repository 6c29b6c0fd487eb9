import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair } from 'jose'
import { freePort } from '#scripts/services/free-port.ts'
import { waitUntil } from '../condition.ts'
import { createTestDatabase } from '../services/database.ts'
import { OPEN_ACCOUNTS } from '../given/open-accounts.ts'
import { testRedisUrl, uniqueQueuePrefix } from '../services/redis.ts'

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const STOP_WITH_PARENT = fileURLToPath(
  new URL('../../../scripts/services/stop-with-parent.ts', import.meta.url),
)
const START_TIMEOUT_MS = 60_000

type Variables = Record<string, string>

/** What server and workers of one test share: a database, a queue prefix, keys. Pass `env` to loadConfig for your own context. */
export interface TestEnvironment {
  databaseUrl: string
  redisUrl: string
  env: Variables
  close: () => Promise<void>
}

/** A fresh environment; `overrides` are further variables of docs/contract.md §2 (retry schedule, another REDIS_URL, …). */
export async function createTestEnvironment(overrides: Variables = {}): Promise<TestEnvironment> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'leadwire-data-'))
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const env: Variables = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: uniqueQueuePrefix(),
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_RETRY_JITTER: '0',
    ...OPEN_ACCOUNTS,
    ...overrides,
  }
  return {
    databaseUrl: database.url,
    redisUrl: env['REDIS_URL'] ?? testRedisUrl(),
    env,
    close: async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface TestProcess {
  /** Everything it printed since its first start. */
  output: () => string
  isRunning: () => boolean
  /** As `kill -9`. */
  kill: () => Promise<void>
  /** Resolves when it has ended, by itself or not. */
  ended: () => Promise<void>
  /** SIGSTOP: its connections stand, and nothing of it moves. */
  freeze: () => void
  thaw: () => void
  /** Starts it again, with the same environment, and waits until it is ready. */
  restart: () => Promise<void>
  /** SIGTERM, and answers the exit code. */
  stop: () => Promise<number | null>
}

export interface TestServer extends TestProcess {
  url: string
}

/** The real server on a free port, ready when `/readyz` says so. */
export async function startServer(environment: TestEnvironment, extra: Variables = {}): Promise<TestServer> {
  const port = extra['PORT'] ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    try {
      return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200
    } catch {
      return false
    }
  }
  const env = { ...environment.env, PUBLIC_URL: url, ...extra, PORT: port }
  return { url, ...(await startProcess('server/main.ts', env, isReady)) }
}

/** The real worker, ready when its log says so. */
export function startWorker(environment: TestEnvironment, extra: Variables = {}): Promise<TestProcess> {
  const env = { ...environment.env, LOG_LEVEL: 'info', ...extra }
  return startProcess('worker/main.ts', env, (output) => output.includes('"msg":"worker ready"'))
}

/** Runs a script of this repository as a child that ends with us. */
export async function startProcess(
  script: string,
  env: Variables,
  isReady: (outputOfThisStart: string) => boolean | Promise<boolean>,
): Promise<TestProcess> {
  let output = ''
  let child = await start()

  async function start() {
    const begin = output.length
    const started = spawn(
      process.execPath,
      ['--import', STOP_WITH_PARENT, path.resolve(REPOSITORY, script)],
      {
        cwd: REPOSITORY,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8')
    }
    started.stdout?.on('data', collect)
    started.stderr?.on('data', collect)
    try {
      await waitUntil(
        async () => {
          if (hasEnded(started))
            throw new Error(`${script} ended with ${started.exitCode ?? started.signalCode}`)
          return isReady(output.slice(begin))
        },
        { timeoutMs: START_TIMEOUT_MS, what: `${script} being ready` },
      )
    } catch (cause) {
      started.kill('SIGKILL')
      throw new Error(`${script} did not start:\n${output.slice(begin).slice(-4_000)}`, { cause })
    }
    return started
  }

  async function end(signal: NodeJS.Signals) {
    if (!hasEnded(child)) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode
  }

  return {
    output: () => output,
    isRunning: () => !hasEnded(child),
    kill: async () => void (await end('SIGKILL')),
    ended: async () => {
      if (!hasEnded(child)) await once(child, 'exit')
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    restart: async () => {
      await end('SIGKILL')
      child = await start()
    },
    stop: () => end('SIGTERM'),
  }
}

function hasEnded(child: { exitCode: number | null; signalCode: NodeJS.Signals | null }): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
