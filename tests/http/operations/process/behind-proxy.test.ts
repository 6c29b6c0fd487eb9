// The product behind the real nginx and Caddy, with the files of deploy/ and a private certificate authority. A program
// that is not installed is skipped.
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import tls, { connect } from 'node:tls'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startServer, type LabServer } from '#scripts/lab/start-product.ts'
import { freePort } from '#scripts/services/free-port.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import {
  createAuthority,
  hasProgram,
  startFront,
  type Authority,
  type Front,
  type FrontProgram,
} from '#scripts/chaos/deployment/start-front.ts'
import { PUBLIC_KEY } from '../../support/invoke-function.ts'
import { listenToChanges } from '../../support/listen-to-changes.ts'
import { askForSocket } from '../../support/open-socket.ts'
import { newLead, type AnswerBody } from '../../support/start-app.ts'

const ADMIN = 'admin@example.com'
const FORGED = '203.0.113.66'
const METRICS_TOKEN = 'token-of-the-test'
const MB = 1_000_000

const PROGRAMS: FrontProgram[] = ['nginx', 'caddy']
const installed = await Promise.all(PROGRAMS.map(hasProgram))
const usable = PROGRAMS.filter((_name, index) => installed[index])

describe.skipIf(usable.length === 0)('behind', () => {
  let environment: LabEnvironment
  let authority: Authority
  let agent: Agent
  const servers: LabServer[] = []
  const fronts = new Map<FrontProgram, Front>()
  const trusted = tls.getCACertificates('default')

  beforeAll(async () => {
    authority = await createAuthority()
    tls.setDefaultCACertificates([...trusted, authority.root])
    // As most sources post: HTTP/1.1 on kept connections.
    agent = new Agent({ allowH2: false, connect: { ca: authority.root } })
    environment = await createTestEnvironment({
      TRUST_PROXY: 'loopback',
      METRICS_TOKEN,
      SEED_ADMIN_EMAIL: ADMIN,
      SEED_ADMIN_PASSWORD: PASSWORD,
    })
    for (let made = 0; made < 2; made += 1)
      servers.push(
        await startServer({
          ...environment.env,
          PORT: String(await freePort()),
          PUBLIC_URL: 'https://localhost',
        }),
      )
    const hosts = servers.map(({ url }) => new URL(url).host)
    for (const name of usable) fronts.set(name, await startFront(name, { servers: hosts, authority }))
  })
  afterAll(async () => {
    await agent.close()
    for (const front of fronts.values()) await front.stop()
    for (const server of servers) await server.stop()
    await environment.close()
    await authority.remove()
    tls.setDefaultCACertificates(trusted)
  })

  const createCall =
    (url: string) =>
    async (
      method: string,
      path: string,
      {
        token,
        body,
        headers = {},
      }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
    ) => {
      const {
        statusCode,
        headers: given,
        body: answer,
      } = await request(url + path, {
        method: method as 'GET',
        dispatcher: agent,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const isJson = String(given['content-type']).includes('json')
      return { status: statusCode, text, json: (isJson ? JSON.parse(text) : {}) as AnswerBody }
    }
  type Call = ReturnType<typeof createCall>
  const signIn = async (call: Call, headers: Record<string, string> = {}) => {
    const body = { email: ADMIN, password: PASSWORD }
    const { json } = await call('POST', '/auth/v1/token?grant_type=password', { body, headers })
    return { token: json.access_token, id: json.user.id }
  }
  const newSource = async (call: Call, owner?: string) => {
    const { token } = await signIn(call)
    const body = { name: crypto.randomUUID(), owner_user_id: owner ?? null }
    return (await call('POST', '/api/v1/admin/sources', { token, body })).json.api_key
  }

  describe.each(usable)('%s', (name) => {
    const front = (): Front => {
      const found = fronts.get(name)
      if (found === undefined) throw new Error(`${name} does not run`)
      return found
    }
    const call: Call = (...given) => createCall(front().url)(...given)

    test('people sign in over HTTP/2, by the address that they have and not the one that they claim', async () => {
      const { port } = new URL(front().url)
      const line = connect({
        port: Number(port),
        host: '127.0.0.1',
        servername: 'localhost',
        ALPNProtocols: ['h2'],
      })
      await once(line, 'secureConnect')
      expect(line.alpnProtocol).toBe('h2')
      line.destroy()

      const { token } = await signIn(call, {
        'X-Forwarded-For': FORGED,
        'X-Real-IP': FORGED,
        Forwarded: `for=${FORGED}`,
      })
      const { json, text } = await call('GET', '/api/v1/me/sessions', { token })
      expect(json.data.length).toBeGreaterThan(0)
      expect(text).not.toContain(FORGED)
      expect(text).toContain('127.0.0.1')
    })

    test('a lead is taken, and the stream of its client tells it at once', async () => {
      const email = `${name}@example.com`
      const { json: person } = await call('POST', '/auth/v1/signup', { body: { email, password: PASSWORD } })
      const { token } = await signIn(call)
      await call('POST', `/api/v1/admin/clients/${person.user.id}/approve`, { token, body: {} })
      const stream = await listenToChanges(front().url, person.access_token)
      onTestFinished(stream.hangUp)
      expect(stream.status).toBe(200)
      const key = await newSource(call, person.user.id)
      const began = performance.now()
      expect((await call('POST', '/api/v1/leads', { token: key, body: newLead() })).status).toBe(201)
      await waitUntil(() => stream.count() > 0, { what: 'The change' })
      // The server's next sign of life, which would push a buffer on, comes after five seconds.
      expect(performance.now() - began).toBeLessThan(4000)
    })

    test('a socket connects, and answers', async () => {
      const asked = await askForSocket(front().url, { apikey: PUBLIC_KEY, vsn: '1.0.0' })
      if (!('socket' in asked)) throw new Error(asked.refused.error)
      onTestFinished(asked.socket.hangUp)
      const ref = asked.socket.send('phoenix', 'heartbeat', {})
      expect((await asked.socket.take({ ref })).payload['status']).toBe('ok')
    })

    test('an import of 100 MB passes whole, and a body that is too large elsewhere does not', async () => {
      const { token, id } = await signIn(call)
      const headers = { 'content-type': 'text/csv' }
      const file = Buffer.alloc(100 * MB, 'Rosa,Example,(202) 555-0143\n')
      const sent = await call('POST', `/storage/v1/object/imports/${id}/${name}.csv`, {
        token,
        body: file,
        headers,
      })
      expect(sent.status, sent.text).toBe(200)
      const large = await call('POST', '/api/v1/leads/batch', {
        token: await newSource(call),
        body: Buffer.alloc(7 * MB, ' '),
      })
      // Caddy 2.6 says 502 if it cut the body before the server had answered.
      expect(name === 'caddy' ? [413, 502] : [413]).toContain(large.status)
    })

    test('its log has no query, no token and no name of a file, and /metrics is closed', async () => {
      await call('GET', '/posting-specs/secret-of-a-link?a=secret-of-a-link')
      await call('GET', '/storage/v1/object/evidence/secret-of-a-link.pdf')
      await call('GET', '/auth/v1/verify?token=secret-of-a-link&type=signup')
      await waitUntil(async () => (await front().readLog()).includes('/auth/v1/verify'), { what: 'The log' })
      const log = await front().readLog()
      expect(log).toContain('/posting-specs/')
      expect(log).toContain('/storage/v1/object/')
      expect(log).not.toContain('secret-of-a-link')
      expect((await call('GET', '/metrics')).status).toBe(404)
    })
  })

  test.skipIf(!usable.includes('nginx'))(
    'nginx shows a certificate authority what renews the certificate',
    async () => {
      const { plainUrl = '' } = fronts.get('nginx') ?? {}
      const folder = path.join(authority.folder, '.well-known/acme-challenge')
      await mkdir(folder, { recursive: true })
      await writeFile(path.join(folder, 'of-the-test'), 'proof')
      const ask = async (asked: string) => await fetch(plainUrl + asked, { redirect: 'manual' })
      expect(await (await ask('/.well-known/acme-challenge/of-the-test')).text()).toBe('proof')
      expect((await ask('/dashboard')).headers.get('location')).toBe('https://localhost/dashboard')
    },
  )

  test.each(usable)('the log of %s has no query if no server takes the request', async (name) => {
    const closed = `127.0.0.1:${await freePort()}`
    const lonely = await startFront(name, { servers: [closed, closed], authority })
    onTestFinished(lonely.stop)
    const { status } = await createCall(lonely.url)('GET', '/auth/v1/verify?token=secret-of-a-link')
    expect([502, 503]).toContain(status)
    await waitUntil(async () => (await lonely.readLog()).includes('/auth/v1/verify'), { what: 'The log' })
    expect(await lonely.readLog()).not.toContain('secret-of-a-link')
  })

  /** One path for each proxy, so that a server's metrics tell which of them sends it leads. */
  const PATHS: Record<FrontProgram, string> = { nginx: '/api/v1/leads', caddy: '/api/v1/leads/batch' }

  /** Whether it has answered leads of each proxy since its start: all of them know that it is back. */
  const takesLeads = async ({ url }: LabServer): Promise<boolean> => {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    const metrics = await answer.text()
    return usable.every((name) =>
      new RegExp(`http_request_duration_seconds_count\\{[^}]*${PATHS[name]}"`).test(metrics),
    )
  }

  test('a rolling restart of both servers loses no request of a source', async () => {
    const answers: { name: string; status: number }[] = []
    const over = new AbortController()
    const post = async (front: Front): Promise<void> => {
      const call = createCall(front.url)
      const key = await newSource(call)
      while (!over.signal.aborted) {
        const lead = newLead({ email: null })
        const body = front.name === 'caddy' ? [lead] : lead
        const { status } = await call('POST', PATHS[front.name], { token: key, body })
        answers.push({ name: front.name, status })
      }
    }
    const posting = [...fronts.values()].flatMap((front) => [post(front), post(front)])
    try {
      for (const server of servers) {
        const before = answers.length
        expect(await server.stop()).toBe(0)
        await waitUntil(() => answers.length > before + 20, { what: 'Leads at the other server' })
        await server.restart()
        await waitUntil(() => takesLeads(server), { what: 'Leads at the restarted server' })
      }
    } finally {
      over.abort()
      await Promise.all(posting)
    }
    expect(answers.filter(({ name, status }) => status !== (name === 'caddy' ? 200 : 201))).toEqual([])
    expect(answers.length).toBeGreaterThan(80)
  }, 180_000)
})
