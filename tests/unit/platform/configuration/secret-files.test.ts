import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConfigError, ENVIRONMENT_VARIABLES, loadConfig } from '#core/config/config.ts'
import { SECRET_VARIABLES } from '#core/config/secret-files.ts'

const URL_WITH_PASSWORD = 'postgres://leadwire:s3cret@db/leadwire'
const needed = { DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache:6379' }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-secret-files-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(content: string): Promise<string> {
  const file = path.join(folder, `${Math.random()}`)
  await writeFile(file, content)
  return file
}

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

it.each(['', '\n', '\r\n'])('reads a secret from its file, without a line end (%j)', async (end) => {
  const { database, http } = loadConfig({
    REDIS_URL: needed.REDIS_URL,
    DATABASE_URL_FILE: await fileOf(`${URL_WITH_PASSWORD}${end}`),
    METRICS_TOKEN_FILE: await fileOf(`a-token-of-sixteen ${end}`),
  })
  expect(database.url).toBe(URL_WITH_PASSWORD)
  expect(http.metricsToken).toBe('a-token-of-sixteen ')
})

it('judges the content of a file like the variable itself, and does not quote it', async () => {
  const faults = faultsOf({ ...needed, SECRETS_KEY_FILE: await fileOf('s3cret\n') })
  expect(faults).toEqual([expect.stringMatching(/^SECRETS_KEY: must be /)])
  expect(faults.join()).not.toContain('s3cret')
})

it('refuses a variable and its file together', async () => {
  expect(faultsOf({ ...needed, DATABASE_URL_FILE: await fileOf(URL_WITH_PASSWORD) })).toEqual([
    'DATABASE_URL_FILE: is set beside DATABASE_URL; set only one of them',
  ])
})

it('names the variable whose file cannot be read or is empty, and does not call it missing too', async () => {
  const absent = path.join(folder, 'absent')
  const empty = await fileOf('\n')
  expect(faultsOf({ DATABASE_URL_FILE: absent, REDIS_URL_FILE: empty })).toEqual([
    `DATABASE_URL_FILE: the file ${absent} cannot be read (ENOENT)`,
    `REDIS_URL_FILE: the file ${empty} is empty`,
  ])
})

it('takes an empty name of a file as unset', () => {
  expect(loadConfig({ ...needed, METRICS_TOKEN_FILE: ' ' })).toEqual(loadConfig(needed))
})

it('knows every variable that holds a secret', () => {
  const telling = /SECRET|TOKEN|PASSWORD|JWK|KEY|^(DATABASE|REDIS|SMTP)_.*URL|_HEADERS$/
  /** These are public, or settings about tokens and passwords. */
  const open = /^AUTH_(PASSWORD_|LEAKED_|CAPTCHA_SITE_KEY|RATE_TOKEN)/
  const secret = ENVIRONMENT_VARIABLES.filter((name) => telling.test(name) && !open.test(name))
  expect(SECRET_VARIABLES).toEqual(expect.arrayContaining(secret))
  expect(ENVIRONMENT_VARIABLES).toEqual(expect.arrayContaining([...SECRET_VARIABLES]))
})

it('is explained with every variable that holds a secret', async () => {
  const page = await readFile('docs/operations/keys.md', 'utf8')
  expect(SECRET_VARIABLES.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
