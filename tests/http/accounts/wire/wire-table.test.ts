import { afterAll, expect, describe, it } from 'vitest'
import { fillPath, type WireAnswer, type WireBody, type WireRow } from './wire-row.ts'
import { openWorld, type Policy, type World } from './wire-world.ts'
import { identityRows, logoutRows, reauthenticateRows, userRows } from './rows/account.ts'
import { addressRows } from './rows/addresses.ts'
import { adminRows } from './rows/admin.ts'
import { bearerRows } from './rows/bearer.ts'
import { bodyRows, unreadBodyRows } from './rows/bodies.ts'
import { otpRows, verifyRows } from './rows/codes.ts'
import { factorRows } from './rows/factors.ts'
import { generatedLinkRows } from './rows/generated-links.ts'
import { linkRows, recoverRows, resendRows } from './rows/links.ts'
import { otherGrantRows } from './rows/other-grants.ts'
import { passwordGrantRows } from './rows/password-grant.ts'
import { pathRows } from './rows/paths.ts'
import { providerRows } from './rows/providers.ts'
import { signUpRows } from './rows/sign-up.ts'
import { NEW_VERSION } from './start-auth-server.ts'

const ROWS: WireRow[] = [
  ...signUpRows,
  ...passwordGrantRows,
  ...otherGrantRows,
  ...otpRows,
  ...verifyRows,
  ...linkRows,
  ...resendRows,
  ...recoverRows,
  ...bearerRows,
  ...userRows,
  ...reauthenticateRows,
  ...logoutRows,
  ...identityRows,
  ...factorRows,
  ...adminRows,
  ...addressRows,
  ...generatedLinkRows,
  ...providerRows,
  ...bodyRows,
  ...unreadBodyRows,
  ...pathRows,
]
/** One in this many refusals is also requested with the old form of the body. */
const SAMPLE = 4

const worlds = new Map<Policy, ReturnType<typeof openWorld>>()
afterAll(async () => {
  for (const world of worlds.values()) await (await world).close()
})

function worldOf(policy: Policy) {
  const world = worlds.get(policy) ?? openWorld(policy)
  worlds.set(policy, world)
  return world
}

async function ask(row: WireRow, world: World, version: Record<string, string>): Promise<WireAnswer> {
  const [method = '', path = ''] = row.call.split(/ (.*)/)
  const bearer = row.as === undefined ? {} : { Authorization: `Bearer ${await world.bearer(row.as)}` }
  const given: unknown =
    typeof row.body === 'function' ? await (row.body as (world: World) => unknown)(world) : row.body
  const body =
    given === undefined || typeof given === 'string' || Buffer.isBuffer(given) ? given : JSON.stringify(given)
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const response = await fetch(`${world.server.url}${await fillPath(path, world)}`, {
    method,
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json;charset=UTF-8', ...version, ...bearer, ...row.headers },
    ...(hasBody ? { body } : {}),
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? (JSON.parse(text) as WireBody) : {},
  }
}

function checkSays(text: unknown, says: WireRow['says']): void {
  if (typeof says === 'string') expect(text).toBe(says)
  else if (says !== undefined) expect(text).toMatch(says)
}

async function checkNew(row: WireRow, world: World): Promise<void> {
  const answer = await ask(row, world, NEW_VERSION)
  const { status, headers, body } = answer
  const seen = `${status} ${JSON.stringify(body)}`.slice(0, 300)
  expect(status, seen).toBe(row.gets)
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  if (row.oauthError !== undefined) {
    expect(body).toMatchObject({ error: row.oauthError })
    checkSays(body.error_description, row.says)
  } else if (row.gets >= 400 && row.call.split(' ')[0] !== 'HEAD') {
    expect(headers.get('Content-Type')).toMatch(/^application\/json/)
    if (row.code !== undefined) {
      expect(body, seen).toMatchObject({ code: row.code, error_code: row.code })
      expect(headers.get('x-sb-error-code')).toBe(row.code)
      expect(headers.get('X-Supabase-Api-Version')).toBe('2024-01-01')
    }
    checkSays(body.message ?? body.error_description, row.says)
  }
  if (row.gets === 429) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  await row.shows?.(answer, world)
}

async function checkOld(row: WireRow, world: World): Promise<void> {
  const { status, headers, body } = await ask(row, world, {})
  expect(status).toBe(row.gets)
  expect(body).toMatchObject({ code: row.gets, error_code: row.code })
  expect(body).not.toHaveProperty('message')
  checkSays(body.msg, row.says)
  expect(headers.get('X-Supabase-Api-Version')).toBeNull()
  expect(headers.get('x-sb-error-code')).toBe(row.code)
}

describe('the authentication API', () => {
  const refusals = ROWS.filter(
    ({ gets, code, call }) => gets >= 400 && code !== undefined && !call.startsWith('HEAD'),
  )
  const sample = refusals.filter((_, n) => n % SAMPLE === 0)

  it('has each row once', () => {
    const titles = ROWS.map(titleOf)
    expect(titles.filter((title, n) => titles.indexOf(title) !== n)).toEqual([])
    expect(ROWS.length).toBeGreaterThanOrEqual(250)
  })

  it.concurrent.each(ROWS.map((row): [string, WireRow] => [titleOf(row), row]))('%s', async (_title, row) => {
    await checkNew(row, await worldOf(row.on ?? 'open'))
  })

  it.concurrent.each(sample.map((row): [string, WireRow] => [titleOf(row), row]))(
    'in its old form: %s',
    async (_title, row) => {
      await checkOld(row, await worldOf(row.on ?? 'open'))
    },
  )
})

function titleOf({ call, name, on, as, gets }: WireRow): string {
  const by = as === undefined ? '' : ` (${as})`
  const where = on === undefined ? '' : ` [${on}]`
  return `${call}${by}${where}: ${name} → ${gets}`
}
