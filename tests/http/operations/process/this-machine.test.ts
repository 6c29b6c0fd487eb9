import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askByHost } from '#tests/support/ask-by-host.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

const TOKEN = 'a-token-for-the-scraper'
const BEARER = { authorization: `Bearer ${TOKEN}` }
const DOORS = ['/metrics', '/dev/mailbox']

let app: TestApp
beforeAll(async () => {
  app = await startApp({ DEV_MAILBOX: '1', API_URL: 'http://api.leadwire.test:3000' })
})
afterAll(() => app.close())

describe.each(DOORS)('%s', (door) => {
  const ask = (host: string, headers: Record<string, string> = {}) => askByHost(app.url + door, host, headers)

  test.each([
    'localhost:3000',
    'LOCALHOST',
    '127.0.0.1:3000',
    '127.8.9.1',
    '[::1]:3000',
    '[::1]',
    'leadwire.localhost:3000',
    'api.leadwire.test:3000',
  ])('answers requests of this machine under its name %s', async (host) => {
    expect(await ask(host)).toBe(200)
  })

  test.each([
    'rebound.example.com:3000',
    'rebound.example.com',
    'other.test:3000',
    'localhost.example.com:3000',
    'notlocalhost:3000',
    '127.0.0.1.example.com:3000',
    'rebound.example.com:127',
    'rebound.example.com@localhost:3000',
    'localhost:3000/rebound.example.com',
    '10.0.0.7:3000',
    '[::2]:3000',
  ])('refuses requests under the foreign name %s that leads to this machine', async (host) => {
    expect(await ask(host)).toBe(403)
  })

  test.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['forwarded', 'for=203.0.113.9'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'leads.example.com'],
    ['x-real-ip', '203.0.113.9'],
    ['via', '1.1 proxy'],
  ])('refuses requests through a proxy that adds %s', async (name, value) => {
    expect(await ask('localhost:3000', { [name]: value })).toBe(403)
  })
})

describe('with TRUST_PROXY set', () => {
  let behind: TestApp
  beforeAll(async () => {
    behind = await startApp({ DEV_MAILBOX: '1', TRUST_PROXY: '1', METRICS_TOKEN: TOKEN })
  })
  afterAll(() => behind.close())

  test.each(DOORS)('%s needs the token from this machine too', async (door) => {
    const ask = (headers: Record<string, string>) => askByHost(behind.url + door, 'localhost:3000', headers)

    expect(await ask({})).toBe(403)
    expect(await ask({ authorization: 'Bearer another-long-token' })).toBe(403)
    expect(await ask(BEARER)).toBe(200)
  })

  test('the token opens /metrics from anywhere, and the mailbox only from this machine', async () => {
    const ask = (door: string) =>
      askByHost(behind.url + door, 'leads.example.com', { ...BEARER, 'x-forwarded-for': '203.0.113.9' })

    expect(await ask('/metrics')).toBe(200)
    expect(await ask('/dev/mailbox')).toBe(403)
  })
})

test.each(['2', '10.0.0.0/8'])('with TRUST_PROXY=%s and no token, /metrics is closed', async (proxies) => {
  const closed = await startApp({ TRUST_PROXY: proxies })
  expect(await askByHost(`${closed.url}/metrics`, 'localhost')).toBe(403)
  await closed.close()
})
