import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

/** The addresses of a stranger; the owner of the account sits behind the first of them. */
const TEN = Array.from({ length: 10 }, (_, index) => `203.0.113.${index + 1}`)
const OWN = TEN[0] ?? ''

let server: AuthServer

interface From {
  address?: string
  cookie?: string
}

async function signIn(email: string, password: string, { address = OWN, cookie }: From = {}) {
  const began = performance.now()
  const { status, headers, body } = await post(
    server,
    '/token?grant_type=password',
    { email, password },
    { 'X-Forwarded-For': address, ...(cookie !== undefined && { Cookie: cookie }) },
  )
  const cookies = headers.getSetCookie()
  return { status, cookies, body, retryAfter: headers.get('Retry-After'), tookMs: performance.now() - began }
}

/** Signs in as somebody who has not been seen, and returns the cookie that the browser keeps. */
async function signInOnce(email: string, from: From = {}): Promise<string> {
  const { status, cookies } = await signIn(email, PASSWORD, from)
  expect(status).toBe(200)
  const [given = ''] = cookies
  return given.split(';')[0] ?? ''
}

const wrong = Array.from({ length: 100 }, (_, index) => `Wrong-Lantern-${index}`)

/** A stranger tries a hundred wrong passwords one after the other at each of ten addresses. */
async function tryThousand(email: string) {
  const tried = await Promise.all(
    TEN.map(async (address) => {
      const answers = []
      for (const password of wrong) answers.push(await signIn(email, password, { address }))
      return answers
    }),
  )
  return tried.flat()
}

/** A stranger tries a thousand wrong passwords at once. */
async function tryThousandAtOnce(email: string) {
  return await Promise.all(
    TEN.flatMap((address) => wrong.map((password) => signIn(email, password, { address }))),
  )
}

describe('with TRUST_PROXY set', () => {
  beforeAll(async () => {
    server = await startAuthServer()
  })
  afterAll(() => server.close())

  it('a thousand wrong passwords from ten addresses never refuse the owner in a browser that signed in before', async () => {
    const { email } = await signUpSomeone(server)
    const cookie = await signInOnce(email)
    const trying = tryThousand(email)
    expect((await signIn(email, PASSWORD, { cookie })).status).toBe(200)
    const answers = await trying
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect((await signIn(email, PASSWORD, { cookie })).status).toBe(200)
    // The stranger's own tries are blocked, and so is a browser there that nobody knows.
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(50)
    expect((await signIn(email, PASSWORD)).status).toBe(429)
  })

  it('sets a cookie for 90 days that scripts and other sites cannot read, and keeps it while it is fresh', async () => {
    const { email } = await signUpSomeone(server)
    const { cookies } = await signIn(email, PASSWORD)
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(
      /^leadwire_device_[0-9a-f]{32}=[0-9a-f]{32}\.\d+\.[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    )
    expect(cookies[0]).not.toContain(email)
    expect((await signIn(email, PASSWORD, { cookie: cookies[0]?.split(';')[0] ?? '' })).cookies).toEqual([])
  })

  it('a known browser is blocked by its own five wrong passwords alone, and blocks nobody else', async () => {
    const { email } = await signUpSomeone(server)
    const [one, other] = [await signInOnce(email), await signInOnce(email)]
    for (let made = 0; made < 5; made += 1)
      expect((await signIn(email, 'wrong', { cookie: one })).status).toBe(400)
    const refused = await signIn(email, PASSWORD, { cookie: one })
    expect(refused.status).toBe(429)
    expect(Number(refused.retryAfter)).toBeGreaterThan(890)
    expect((await signIn(email, PASSWORD, { cookie: other })).status).toBe(200)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  it('a cookie that is forged, expired or of another account gives no count of its own', async () => {
    const { email } = await signUpSomeone(server)
    const stranger = await signUpSomeone(server)
    const [own, strangers] = [await signInOnce(email), await signInOnce(stranger.email)]
    const [name = '', value = ''] = own.split('=')
    const [device = '', expires = '', mac = ''] = value.split('.')
    for (let made = 0; made < 5; made += 1) await signIn(email, 'wrong')
    for (const cookie of [
      strangers,
      `${name}=${strangers.split('=')[1] ?? ''}`,
      `${name}=${'0'.repeat(32)}.${expires}.${mac}`,
      `${name}=${device}.${Number(expires) + 1}.${mac}`,
      `${name}=${device}.${expires}.${'A'.repeat(43)}`,
      `${name}=${value}x`,
    ])
      expect({ cookie, ...(await signIn(email, PASSWORD, { cookie })) }).toMatchObject({ status: 429 })
    expect((await signIn(email, PASSWORD, { cookie: own })).status).toBe(200)
  })
})

describe('behind a proxy that TRUST_PROXY does not name', () => {
  beforeAll(async () => {
    server = await startAuthServer({ TRUST_PROXY: '0' })
  })
  afterAll(() => server.close())

  it('a thousand wrong passwords slow others, and never refuse the owner in a browser that signed in before', async () => {
    const { email } = await signUpSomeone(server)
    const cookie = await signInOnce(email, { address: '198.51.100.7' })
    const trying = tryThousandAtOnce(email)
    const known = await signIn(email, PASSWORD, { address: '198.51.100.7', cookie })
    expect(known.status).toBe(200)
    expect(known.tookMs).toBeLessThan(5000)
    // A browser that nobody knows waits its turn, but is let in.
    const unknown = await signIn(email, PASSWORD, { address: '198.51.100.7' })
    expect(unknown.status).toBe(200)
    expect(unknown.tookMs).toBeLessThan(10_000)
    const answers = await trying
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    // Waiting answers are bounded: those that find no place are told when to come again.
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(900)
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['5']))
    expect((await signIn(email, PASSWORD, { address: '198.51.100.7', cookie })).status).toBe(200)
  }, 30_000)

  it('waits longer after each failure, for an unknown address as for a known one', async () => {
    const { email } = await signUpSomeone(server)
    for (const address of [email, newEmail()]) {
      const took: number[] = []
      for (let made = 0; made < 4; made += 1) {
        const { status, tookMs } = await signIn(address, 'wrong')
        expect(status).toBe(400)
        took.push(tookMs)
      }
      for (const [index, leastMs] of [0, 250, 500, 1000].entries())
        expect(took[index]).toBeGreaterThanOrEqual(leastMs)
    }
  })

  it('judges the password, whatever address the proxy claims', async () => {
    const { email } = await signUpSomeone(server)
    for (const address of ['fe80::1%eth0', '::ffff:1.2.3.4', 'unknown', 'x'.repeat(4000)])
      expect((await signIn(email, PASSWORD, { address })).status).toBe(200)
  })

  it('still blocks after five failures from a peer that forwards nothing', async () => {
    const { email } = await signUpSomeone(server)
    const direct = (password: string) => post(server, '/token?grant_type=password', { email, password })
    for (let made = 0; made < 5; made += 1) expect((await direct('wrong')).status).toBe(400)
    expect((await direct(PASSWORD)).status).toBe(429)
  })
})
