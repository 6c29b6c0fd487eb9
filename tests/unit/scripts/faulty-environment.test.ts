import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { runScript } from '#scripts/lab/run-script.ts'
import { freePort } from '#scripts/services/free-port.ts'

const SECRET = 'wh4t-n0b0dy-may-see'
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ format: 'jwk' })

/**
 * One fault of each kind: no number, half of a pair, one that only production refuses, and one that appears
 * only in use.
 */
const FAULTY: Readonly<Record<string, readonly [value: string, wanted: string]>> = {
  PORT: ['eighty', 'must be a whole number from 0 to 65535'],
  WEBHOOK_RETRY_JITTER: ['2', 'must be a number from 0 to 0.5'],
  LOG_LEVEL: ['loud', 'must be one of fatal, error, warn, info, debug, silent'],
  DATABASE_URL: [
    `postgres://me:${SECRET}@db:port/leadwire`,
    'must be postgres://user:password@host:port/database',
  ],
  REDIS_URL: [`redis://:${SECRET}#1@cache:6379`, 'must be redis:// or rediss://user:password@host:port'],
  SMTP_URL: [`smtp://me:${SECRET}@mail:port`, 'must be smtp:// or smtps://user:password@host:port'],
  SEED_ADMIN_EMAIL: [SECRET, 'must be an e-mail address'],
  SEED_ADMIN_PASSWORD: [SECRET.slice(0, 7), 'must have at least 8 characters'],
  METRICS_TOKEN: [SECRET.slice(0, 12), 'must have at least 16 characters'],
  SECRETS_KEY: [SECRET, 'must be 32 random bytes in base64, or several such keys separated by commas'],
  JWT_PRIVATE_JWK: [JSON.stringify(otherCurve), 'an EC key must be on P-256'],
  AUTH_PROVIDERS: [`{"acme":{"client_id":"x","client_secret":"${SECRET}"}}`, 'acme needs an issuer'],
  AUTH_CAPTCHA_SECRET: [SECRET, 'AUTH_CAPTCHA_PROVIDER: is of use only together with AUTH_CAPTCHA_SECRET'],
  AUTH_SMS_TOKEN: [SECRET, 'AUTH_SMS_PROVIDER: is of use only together with'],
  AUTH_EVEN_MS: ['20', 'less than 250 is refused in production'],
  AUTH_PASSWORD_MEMORY_KIB: ['1024', 'less than 19456 is refused in production'],
  FAILPOINTS: ['after-commit=exit', 'makes processes die on purpose and is refused in production'],
  SAMPLE_CRM_PORT: ['99999', 'must be a whole number from 0 to 65535'],
}
const COMMANDS = [
  ['server/main.ts'],
  ['worker/main.ts'],
  ['scripts/migrate.ts'],
  ['scripts/grant-admin.ts', 'ada@example.com'],
  ['scripts/make-service-key.ts'],
  ['scripts/start.ts'],
] as const

/** A DATA_DIR that does not exist. */
// Tests run side by side, so they cannot register a clean-up after waiting.
const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function absentFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-faults-'))
  folders.push(folder)
  return path.join(folder, 'data')
}

const run = ([script, ...args]: readonly [string, ...string[]], env: Record<string, string>) =>
  runScript({ script, args, env })

describe('a faulty environment', () => {
  test.concurrent.for(COMMANDS)(
    'ends %j with 1, lists every fault with the expected value but not the given one, and writes no file',
    { timeout: 60_000 },
    async (command) => {
      const dataDir = await absentFolder()
      const values = Object.entries(FAULTY).map(([name, [value]]) => [name, value] as const)
      const { code, output } = await run(command, { ...Object.fromEntries(values), DATA_DIR: dataDir })

      expect(code).toBe(1)
      expect(output).toContain(`The environment has ${values.length} fault(s):`)
      for (const [name, [, wanted]] of Object.entries(FAULTY)) {
        const line = wanted.includes(': is of') ? wanted : `${name}: ${wanted}`
        expect(output).toContain(`\n  ${line}`)
      }
      for (const [, value] of values) if (value.length > 6) expect(output).not.toContain(value)
      expect(output).not.toContain(SECRET.slice(0, 8))
      expect(existsSync(dataDir)).toBe(false)
    },
  )

  test.concurrent('makes a server report missing keys and services with the other faults', async () => {
    const dataDir = await absentFolder()
    const { code, output } = await run(['server/main.ts'], { DATA_DIR: dataDir, PORT: 'eighty' })

    expect(code).toBe(1)
    for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL', 'JWT_PRIVATE_JWK'])
      expect(output).toContain(`\n  ${name}: `)
    expect(existsSync(dataDir)).toBe(false)
  }, 60_000)
})

test('npm start and npm run dev report a port in use together with the other faults, and write no file', async () => {
  const other = createServer()
  onTestFinished(() => void other.close())
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  for (const script of ['scripts/start.ts', 'scripts/dev.ts']) {
    const dataDir = await absentFolder()
    const env = { DATA_DIR: dataDir, PORT: port, SAMPLE_CRM_PORT: port, WEBHOOK_TIMEOUT_MS: 'soon' }
    const { code, output } = await run([script], env)

    expect(code).toBe(1)
    const taken = ['PORT', 'SAMPLE_CRM_PORT'].map(
      (name) => `${name}: port ${port} is taken by another program`,
    )
    for (const fault of [...taken, 'WEBHOOK_TIMEOUT_MS: must be']) expect(output).toContain(`\n  ${fault}`)
    expect(existsSync(dataDir)).toBe(false)
  }
}, 60_000)

test.each([['127.0.0.1'], ['127.0.0.1', '127.0.0.2']])(
  'npm run migrate says in one line that its database cannot be reached at %s %s',
  async (...addresses) => {
    const port = await freePort()
    const answer = JSON.stringify(addresses.map((address) => ({ address, family: 4 })))
    const resolver = `import dns from 'node:dns'; dns.lookup = (_name, _options, told) => told(null, ${answer})`
    const { code, output } = await run(['scripts/migrate.ts'], {
      DATABASE_URL: `postgres://me:${SECRET}@database.example:${port}/leadwire`,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(resolver)}`,
    })
    const reasons = addresses.map((address) => `connect ECONNREFUSED ${address}:${port}`)
    expect({ code, said: output.trim() }).toEqual({
      code: 1,
      said: `DATABASE_URL: the database cannot be used: ${reasons.join('; ')}`,
    })
  },
  60_000,
)

test('npm run service-key treats an empty variable as unset', async () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const { code, stdout } = await run(['scripts/make-service-key.ts'], {
    DATA_DIR: await absentFolder(),
    DATABASE_URL: '',
    REDIS_URL: '',
    JWT_PRIVATE_JWK: JSON.stringify(key),
  })
  expect({ code, parts: stdout.split('.').length }).toEqual({ code: 0, parts: 3 })
})
