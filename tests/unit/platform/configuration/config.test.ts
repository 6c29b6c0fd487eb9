import { expect, it } from 'vitest'
import { faultsOf, load, NEEDED } from './load-needed.ts'

it('limits a client to 100 webhooks, and to 30 tests and 30 test leads a minute', () => {
  const limits = (environment = {}) => {
    const { maxPerClient, rates } = load(environment).webhooks
    return { maxPerClient, ...rates }
  }
  expect(limits()).toEqual({ maxPerClient: 100, endpoint_test: 30, test_lead: 30 })
  const set = { WEBHOOK_MAX_PER_CLIENT: '1', WEBHOOK_RATE_TEST: '2', WEBHOOK_RATE_TEST_LEAD: '3' }
  expect(limits(set)).toEqual({ maxPerClient: 1, endpoint_test: 2, test_lead: 3 })
  for (const name of Object.keys(set)) {
    for (const wrong of ['0', '-1', '1.5', 'many'])
      expect(faultsOf({ ...NEEDED, [name]: wrong }), `${name}=${wrong}`).toEqual([
        expect.stringContaining(name),
      ])
  }
})

it('announces addresses with the day from which they hold, and binds only to one that holds', () => {
  const announced = '203.0.113.7@2026-01-31, 2001:db8::7@2999-01-01'
  const { webhooks } = load({
    WEBHOOK_EGRESS_ADDRESSES: announced,
    WEBHOOK_BIND_ADDRESS: '203.0.113.7',
  })
  expect(webhooks).toMatchObject({
    bindAddress: '203.0.113.7',
    egressAddresses: [
      { address: '203.0.113.7', from: '2026-01-31' },
      { address: '2001:db8::7', from: '2999-01-01' },
    ],
  })
  for (const bind of ['203.0.113.8', '2001:db8::7'])
    expect(faultsOf({ ...NEEDED, WEBHOOK_EGRESS_ADDRESSES: announced, WEBHOOK_BIND_ADDRESS: bind })).toEqual([
      expect.stringContaining('is none of WEBHOOK_EGRESS_ADDRESSES'),
    ])
  for (const wrong of [
    '203.0.113.7',
    '203.0.113.7@soon',
    'crm.example.com@2026-01-31',
    '203.0.113.7@2026-02-31',
  ])
    expect(faultsOf({ ...NEEDED, WEBHOOK_EGRESS_ADDRESSES: wrong })).toEqual([
      expect.stringContaining('WEBHOOK_EGRESS_ADDRESSES: must be addresses'),
    ])
})

it('has the documented defaults', () => {
  expect(load({})).toMatchObject({
    environment: 'production',
    http: { port: 3000, host: '0.0.0.0', publicUrl: 'http://localhost:3000', trustProxy: 0 },
    dataDir: '.data',
    seed: { admin: undefined, client: undefined },
    auth: {
      bypassAccounts: [],
      password: { hashCost: { memory: 47_104, passes: 2, parallelism: 1 } },
      evenMs: 250,
    },
    housekeeping: {
      rebuildQueuesMs: 1000,
      relayEventsMs: 1000,
      lookForDueMs: 1000,
      watchLivenessMs: 5000,
      tellPresenceMs: 3000,
      sendMailsMs: 2000,
      releaseDeliveriesMs: 1000,
      watchEndpointsMs: 400,
      judgeEndpointsMs: 5000,
      makePartitionsMs: 21_600_000,
      removeOldRowsMs: 3_600_000,
    },
    webhooks: {
      retryScheduleSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
      retryJitter: 0.2,
      timeoutMs: 15_000,
      allowedCidrs: [],
    },
  })
})

it('takes an empty variable as unset', () => {
  expect(load({ PORT: '', PUBLIC_URL: '', WEBHOOK_ALLOWED_CIDRS: '', SMTP_URL: '' })).toEqual(load({}))
})

it('takes a variable of blanks as unset, too, and not as 0', () => {
  expect(load({ PORT: ' ', TRUST_PROXY: ' ', METRICS_PORT: '\t' })).toEqual(load({}))
})

it('derives the public address from the port and drops a trailing slash', () => {
  expect(load({ PORT: '8080' }).http.publicUrl).toBe('http://localhost:8080')
  expect(load({ PUBLIC_URL: 'https://leads.example.com//' }).http.publicUrl).toBe('https://leads.example.com')
})

it('reads TRUST_PROXY as a number of proxies, or as their addresses and networks', () => {
  const trusted = (value: string) => load({ TRUST_PROXY: value }).http.trustProxy
  expect(trusted('2')).toBe(2)
  expect(trusted(' 10.0.0.5, 172.16.0.0/12,fd00::/8 ')).toEqual(['10.0.0.5', '172.16.0.0/12', 'fd00::/8'])
  expect(trusted('loopback')).toEqual(['loopback'])
})

it('uses the site’s address for the API, unless another one is given', () => {
  const of = (env: Record<string, string>) => {
    const { publicUrl, apiUrl } = load(env).http
    return [publicUrl, apiUrl]
  }
  const [site, api] = ['https://leads.example.com', 'https://api.example.com']
  expect(of({})).toEqual(['http://localhost:3000', 'http://localhost:3000'])
  expect(of({ PUBLIC_URL: `${site}/`, API_URL: '' })).toEqual([site, site])
  expect(of({ PUBLIC_URL: site, API_URL: `${api}//` })).toEqual([site, api])
  expect(of({ API_URL: api })).toEqual(['http://localhost:3000', api])
})

it('reads lists that contain spaces and empty items', () => {
  const { webhooks, auth, redis } = load({
    WEBHOOK_ALLOWED_CIDRS: ' 127.0.0.0/8 ,, ::1/128,',
    WEBHOOK_RETRY_SCHEDULE: '1, 2 ,3',
    BYPASS_ACCOUNTS: 'Tester@Example.com , admin@example.com',
    REDIS_CLUSTER_NODES: 'a:7000, b:7001',
  })
  expect(webhooks.allowedCidrs).toEqual(['127.0.0.0/8', '::1/128'])
  expect(webhooks.retryScheduleSeconds).toEqual([1, 2, 3])
  expect(auth.bypassAccounts).toEqual(['tester@example.com', 'admin@example.com'])
  expect(redis.clusterNodes).toEqual(['a:7000', 'b:7001'])
})

it('divides the interval of every chore by HOUSEKEEPING_PACE', () => {
  const usual = load({}).housekeeping
  const { housekeeping } = load({ HOUSEKEEPING_PACE: '10' })
  expect(Object.values(housekeeping)).toEqual(Object.values(usual).map((ms) => ms / 10))
  expect(load({ HOUSEKEEPING_PACE: '0.5' }).housekeeping.relayEventsMs).toBe(2000)
})

it('accepts a shorter minimum answer time, except in production', () => {
  expect(load({ NODE_ENV: 'test', AUTH_EVEN_MS: '20' }).auth.evenMs).toBe(20)
  expect(faultsOf({ ...NEEDED, AUTH_EVEN_MS: '20' })).toEqual([
    'AUTH_EVEN_MS: less than 250 is refused in production',
  ])
})
