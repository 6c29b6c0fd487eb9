import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import type { SigningKeys } from '#server/identity/signing-keys.ts'
import {
  checkQueueCookie,
  createQueueCookie,
  QUEUE_SESSION_SECONDS,
} from '#server/queue-board/queue-session.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

const PATH = '/admin/queues'
const shownQueues = z.object({ queues: z.array(z.object({ name: z.string(), readOnlyMode: z.boolean() })) })
let app: TestApp
let client: Person
/** the cookie that a browser would send back */
let cookie: string

beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  const { headers } = await app.call('POST', '/api/v1/admin/queues-session', { token: app.admin.token })
  cookie = readCookie(headers.get('set-cookie') ?? '')
})
afterAll(() => app.close())

const readCookie = (header: string) => header.slice(0, header.indexOf(';'))
const open = (given: string | undefined, path = PATH, method = 'GET') =>
  app.call(method, path, { headers: given === undefined ? {} : { cookie: given } })

/** Makes a cookie with an administrator's claims, at another time or with another key. */
async function cookieOf(person: Person, now: number): Promise<string> {
  const claims = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString()) as {
    session_id: string
  }
  const principal = {
    user_id: person.id,
    session_id: claims.session_id,
    role: 'admin',
    email: '',
    aal: 'aal1',
    owes_factor: false,
    is_approved: true,
  } as const
  return readCookie(await createQueueCookie(app.context, principal, now))
}

describe('the queue dashboard', () => {
  test('shows an administrator every queue of the pipeline', async () => {
    const page = await open(cookie)
    const queues = await open(cookie, `${PATH}/api/queues`)

    expect({ status: page.status, cache: page.headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'no-store',
    })
    expect(page.text).toContain('Leadwire queues')
    const { queues: shown } = shownQueues.parse(queues.json)
    expect(shown.map(({ name }) => name)).toEqual(
      expect.arrayContaining([DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE, `wake-ups of ${DELIVERIES_QUEUE}`]),
    )
    expect(shown.filter(({ readOnlyMode }) => !readOnlyMode)).toMatchObject([{ name: DELIVERIES_QUEUE }])
  })

  test('sends a browser without a cookie to the app for one, without a redirect loop', async () => {
    const byHand = (path: string) =>
      fetch(app.url + path, { headers: { accept: 'text/html' }, redirect: 'manual' })
    const sent = await byHand(PATH)
    expect({ status: sent.status, to: sent.headers.get('location') }).toEqual({
      status: 302,
      to: '/admin?open=queues',
    })
    expect((await byHand(`${PATH}?opened`)).status).toBe(401)
    expect((await byHand(`${PATH}/api/queues`)).status).toBe(401)
    expect((await open(cookie)).text).not.toMatch(/href="https?:/)
  })

  test('is also open to an administrator’s bearer token', async () => {
    expect((await app.call('GET', PATH, { token: app.admin.token })).status).toBe(200)
  })

  test('has a content policy of its own that allows only its own scripts', async () => {
    const policy = (await open(cookie)).headers.get('content-security-policy') ?? ''

    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect((await app.call('GET', '/auth')).headers.get('content-security-policy')).not.toContain('unsafe')
  })

  test.each([PATH, `${PATH}/api/queues`, `${PATH}/static/js/main.js`])(
    'answers 401 without a session at %s, with a page that says what to do',
    async (path) => {
      const { status, text } = await open(undefined, path)

      expect(status).toBe(401)
      expect(text).toContain('href="/admin"')
      expect(text).not.toContain('Leadwire queues')
    },
  )

  test('answers 403 to a client, by bearer or by a cookie', async () => {
    expect((await app.call('GET', PATH, { token: client.token })).status).toBe(403)
    expect((await open(await cookieOf(client, Math.floor(Date.now() / 1000)))).status).toBe(403)
  })

  test('answers 401 to a cookie that has expired', async () => {
    const now = Math.floor(Date.now() / 1000)

    expect((await open(await cookieOf(app.admin, now - QUEUE_SESSION_SECONDS - 1))).status).toBe(401)
    expect((await open(await cookieOf(app.admin, now))).status).toBe(200)
  })

  test('answers 401 to a forged cookie: another key, an altered one, an access token', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await new SignJWT({ session_id: app.admin.id })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(app.url)
      .setSubject(app.admin.id)
      .setAudience('queues')
      .setExpirationTime('10m')
      .sign(privateKey)
    const altered = `${cookie.slice(0, -4)}AAAA`

    for (const bad of [
      `leadwire_queues=${forged}`,
      altered,
      `leadwire_queues=${app.admin.token}`,
      'leadwire_queues=',
    ]) {
      expect((await open(bad)).status).toBe(401)
    }
  })

  test('accepts cookies of a retired key until that key is removed', async () => {
    const pair = await generateKeyPair('ES256')
    const fresh = { alg: 'ES256', kid: 'fresh', ...pair, publicJwk: undefined } as const
    const { identity } = app.context
    const check = (all: SigningKeys['all']) =>
      checkQueueCookie({ ...app.context, identity: { ...identity, keys: { signing: fresh, all } } }, cookie)

    await expect(check([fresh, ...identity.keys.all])).resolves.toMatchObject({ user_id: app.admin.id })
    await expect(check([fresh])).rejects.toMatchObject({ code: 'invalid_token' })
  })

  test('has a cookie that is no access token', async () => {
    const token = cookie.slice(cookie.indexOf('=') + 1)

    expect((await app.call('GET', '/api/v1/me', { token })).status).toBe(401)
  })
})

describe('the cookie', () => {
  test('is sent only to the dashboard’s path, and is hidden from scripts', async () => {
    const { status, headers } = await app.call('POST', '/api/v1/admin/queues-session', {
      token: app.admin.token,
    })

    expect(status).toBe(204)
    expect(headers.get('set-cookie')).toMatch(
      /; Path=\/admin\/queues; Max-Age=900; HttpOnly; SameSite=Strict$/,
    )
  })

  test('ends with its session', async () => {
    const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: 'admin@example.com', password: PASSWORD },
    })
    const made = await app.call('POST', '/api/v1/admin/queues-session', { token: json.access_token })
    const mine = readCookie(made.headers.get('set-cookie') ?? '')
    expect((await open(mine)).status).toBe(200)

    await app.call('POST', '/auth/v1/logout?scope=local', { token: json.access_token })

    expect((await open(mine)).status).toBe(401)
  })
})
