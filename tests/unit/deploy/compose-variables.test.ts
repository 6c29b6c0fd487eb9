import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT_VARIABLES, loadConfig } from '#core/config/config.ts'
import { makeKeys } from '#scripts/services/make-keys.ts'
import { environmentOf, interpolate, readCompose } from '#tests/support/deploy/compose.ts'

const compose = readCompose()
const example = readFileSync('.env.example', 'utf8')
const OURS = ['migrate', 'server-1', 'server-2', 'worker-1', 'worker-2']
/** Set by the compose file, because they describe its containers. */
const FIXED = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  PORT: '3000',
  METRICS_PORT: '9464',
  DATA_DIR: '/data',
  TRUST_PROXY: '1',
}
const marks = Object.fromEntries(
  [...ENVIRONMENT_VARIABLES, 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'].map((name) => [name, `of ${name}`]),
)

/** A copy of the example with the few values that an operator must set. */
const smallest = async () => ({
  ...parseEnv(example),
  ...(await makeKeys()),
  PUBLIC_URL: 'https://leads.example.com',
  POSTGRES_PASSWORD: 'word1',
  REDIS_PASSWORD: 'word2',
  UV_THREADPOOL_SIZE: '',
})

it('names every program of the image', () => {
  const built = Object.entries(compose.services).filter(([, { image }]) => image.startsWith('leadwire:'))
  expect(built.map(([name]) => name).toSorted()).toEqual(OURS)
})

describe.each(OURS)('the service %s', (name) => {
  const service = compose.services[name] ?? { image: '' }

  it('gets every variable of .env unchanged, except those of its container', () => {
    const given = environmentOf(service, marks)
    for (const variable of ENVIRONMENT_VARIABLES)
      expect(given[variable], variable).toBe(FIXED[variable as keyof typeof FIXED] ?? `of ${variable}`)
  })

  it('sets no variable that no program reads', () => {
    expect(
      Object.keys(service.environment ?? {}).filter((own) => !ENVIRONMENT_VARIABLES.includes(own)),
    ).toEqual([])
  })

  it('runs with a copy of the example and the values that must be set', async () => {
    const config = loadConfig(environmentOf(service, await smallest()), { signs: true })
    expect(config).toMatchObject({
      environment: 'production',
      http: { publicUrl: 'https://leads.example.com' },
      database: { url: 'postgres://leadwire:word1@postgres:5432/leadwire' },
      redis: { url: 'redis://:word2@redis:6379' },
    })
    expect(config.webhooks.unsureLookUps).toBe(150)
  })
})

it.each(['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'SECRETS_KEY', 'PUBLIC_URL'])(
  'refuses to start without %s, and says so',
  async (missing) => {
    const given = { ...(await smallest()), [missing]: '' }
    const readAll = () => Object.values(compose.services).map((service) => environmentOf(service, given))
    expect(readAll).toThrow(`set ${missing} in .env`)
  },
)

it('reads no variable that .env.example does not explain', () => {
  const explained = new Set([...example.matchAll(/^(?:# {3})?([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name))
  const file = readFileSync('docker-compose.yml', 'utf8')
  const read = [...file.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name)
  expect(read.length).toBeGreaterThan(10)
  expect(read.filter((name) => !explained.has(name))).toEqual([])
})

it('interpolates as Compose does', () => {
  const given = { A: 'a', EMPTY: '' }
  expect(interpolate('$$A ${A} ${NONE:-x${A:-}y${NONE:-z}} ${EMPTY:-e}', given)).toBe('$A a xayz e')
  expect(() => interpolate('${EMPTY:?set it}', given)).toThrow('set it')
  expect(() => interpolate('$A', given)).toThrow('unknown form')
})
