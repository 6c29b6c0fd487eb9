import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'

const needed = { DATABASE_URL: 'postgres://db/leadwire', REDIS_URL: 'redis://cache:6379' }
const load = (environment: Record<string, string | undefined>) => loadConfig({ ...needed, ...environment })

function faultsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

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
      expect(faultsOf({ ...needed, [name]: wrong }), `${name}=${wrong}`).toEqual([
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
    expect(faultsOf({ ...needed, WEBHOOK_EGRESS_ADDRESSES: announced, WEBHOOK_BIND_ADDRESS: bind })).toEqual([
      expect.stringContaining('is none of WEBHOOK_EGRESS_ADDRESSES'),
    ])
  for (const wrong of [
    '203.0.113.7',
    '203.0.113.7@soon',
    'crm.example.com@2026-01-31',
    '203.0.113.7@2026-02-31',
  ])
    expect(faultsOf({ ...needed, WEBHOOK_EGRESS_ADDRESSES: wrong })).toEqual([
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
  expect(faultsOf({ ...needed, AUTH_EVEN_MS: '20' })).toEqual([
    'AUTH_EVEN_MS: less than 250 is refused in production',
  ])
})

describe('a fault', () => {
  it('is a captcha with only one of its two settings', () => {
    const fault = 'AUTH_CAPTCHA_PROVIDER: is of use only together with AUTH_CAPTCHA_SECRET'
    expect(faultsOf({ ...needed, AUTH_CAPTCHA_PROVIDER: 'turnstile' })).toEqual([fault])
    expect(faultsOf({ ...needed, AUTH_CAPTCHA_SECRET: 'shared' })).toEqual([fault])
  })

  it('is a first account with only one of its two settings', () => {
    expect(faultsOf({ ...needed, SEED_ADMIN_EMAIL: 'ops@example.com' })).toEqual([
      'SEED_ADMIN_EMAIL: is of use only together with SEED_ADMIN_PASSWORD',
    ])
    expect(faultsOf({ ...needed, SEED_CLIENT_PASSWORD: 'Long-enough-9' })).toEqual([
      'SEED_CLIENT_EMAIL: is of use only together with SEED_CLIENT_PASSWORD',
    ])
  })

  it('is listed together with all others, each with its variable', () => {
    const faults = faultsOf({
      PORT: 'x',
      PUBLIC_URL: 'nowhere',
      DATABASE_URL: 'mysql://db',
      WEBHOOK_RETRY_SCHEDULE: '5,,6',
      WEBHOOK_TIMEOUT_MS: '0',
      JWT_PRIVATE_JWK: '{}',
      SECRETS_KEY: 'short',
      METRICS_TOKEN: 'short',
    })
    expect(new Set(faults.map((fault) => fault.split(':')[0]))).toEqual(
      new Set([
        'DATABASE_URL',
        'JWT_PRIVATE_JWK',
        'METRICS_TOKEN',
        'PORT',
        'PUBLIC_URL',
        'REDIS_URL',
        'SECRETS_KEY',
        'WEBHOOK_RETRY_SCHEDULE',
        'WEBHOOK_TIMEOUT_MS',
      ]),
    )
  })

  it('never quotes the value, which may be a secret', () => {
    const value = 'sup3r-s3cret-value'
    const names = [
      'DATABASE_URL',
      'REDIS_URL',
      'SEED_ADMIN_EMAIL',
      'JWT_PRIVATE_JWK',
      'SECRETS_KEY',
      'SMTP_URL',
      'WEBHOOK_RETRY_SCHEDULE',
      'WEBHOOK_ALLOWED_CIDRS',
      'PUBLIC_URL',
      'PORT',
      'LOG_LEVEL',
      'NODE_ENV',
      'QUEUE_PREFIX',
      'REDIS_CLUSTER_NODES',
    ]
    const faults = faultsOf(Object.fromEntries(names.map((name) => [name, `${value} !`])))
    // The account without a password is another fault.
    expect(faults).toHaveLength(names.length + 1)
    expect(faults.join('\n')).not.toContain('s3cret')
    const short = faultsOf({
      ...needed,
      SEED_CLIENT_EMAIL: 'client@example.com',
      SEED_CLIENT_PASSWORD: 's3cret',
      METRICS_TOKEN: 's3cret',
    })
    expect(short).toHaveLength(2)
    expect(short.join('\n')).not.toContain('s3cret')
  })

  it('is a password hash that production does not allow', () => {
    const cheap = { ...needed, AUTH_PASSWORD_MEMORY_KIB: '19455' }
    expect(faultsOf({ ...cheap, NODE_ENV: 'test' })).toEqual([])
    expect(faultsOf(cheap)).toEqual([
      expect.stringMatching(/^AUTH_PASSWORD_MEMORY_KIB: .* refused in production/),
    ])
    expect(faultsOf({ ...needed, AUTH_PASSWORD_MEMORY_KIB: '19456' })).toEqual([])
  })

  it('is a missing database or Redis, unless Redis is a cluster', () => {
    expect(faultsOf({}).map((fault) => fault.split(':')[0])).toEqual(['DATABASE_URL', 'REDIS_URL'])
    expect(faultsOf({ DATABASE_URL: 'postgresql://db/x', REDIS_CLUSTER_NODES: 'a:1' })).toEqual([])
  })

  it.each([
    ['PORT', ['-1', '65536', '80.5', 'http']],
    ['PUBLIC_URL', ['localhost:3000', 'ftp://example.com', 'javascript:alert(1)', '/x', 'example.com']],
    ['API_URL', ['localhost:3000', 'ftp://example.com', 'javascript:alert(1)', '/x', 'example.com']],
    ['WEBHOOK_RETRY_SCHEDULE', ['-5', '5;6', '1.5', '5,', 'never', '99999999999999999999', '5,31536000']],
    ['WEBHOOK_RETRY_JITTER', ['-0.1', '0.6', 'some']],
    ['WEBHOOK_TIMEOUT_MS', ['0', '99', '60001', '1.5', 'NaN', 'Infinity']],
    [
      'WEBHOOK_ALLOWED_CIDRS',
      [
        '10.0.0.0',
        '10.0.0/8',
        '999.0.0.0/8',
        '10.0.0.0/33',
        '010.0.0.0/8',
        '::1/129',
        'abc/8',
        '10.0.0.0/8/8',
        '10.0.0.0/',
        '/8',
        'fe80::1%eth0/64',
      ],
    ],
    ['WEBHOOK_CONCURRENCY', ['0', '1001', 'many']],
    [
      'TRUST_PROXY',
      [
        'true',
        '-1',
        '11',
        '1.5',
        '1,10.0.0.0/8',
        '0.0.0.0/0',
        '::/0',
        '10.0.0.0/00',
        '10.0.0.0/33',
        '10.0.0',
      ],
    ],
    ['TRUST_PROXY', ['fe80::1%eth0', 'private', '10.0.0.5,', ',', '10.0.0.0/8 172.16.0.0/12']],
    ['QUEUE_PREFIX', ['a b', 'a:b', 'a.1']],
    ['QUEUE_SHARDS', ['0', '-1', '1.5', '13', 'three']],
    ['REDIS_URL', ['http://cache', 'cache:6379']],
    ['REDIS_CLUSTER_NODES', [',', 'a', 'a:', ':7000', 'a:b', 'redis://a:7000']],
    [
      'SECRETS_KEY',
      [Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), `${'-'.repeat(43)}=`],
    ],
    [
      'JWT_PRIVATE_JWK',
      ['nope', '[]', '"x"', '{"kty":"oct","k":"AAAA"}', '{"kty":"EC","crv":"P-256","x":"a","y":"b"}'],
    ],
  ])('is a bad %s: each of %j', (name, values) => {
    for (const value of values) {
      const faults = faultsOf({ ...needed, [name]: value })
      expect(faults.length === 1 && faults[0]?.startsWith(`${name}: `), `${value} → ${faults.join()}`).toBe(
        true,
      )
    }
  })

  it('is found at the start, not later by the address guard', () => {
    const { webhooks } = load({
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128,10.0.0.0/0,fd00::/8,192.168.1.7/32',
    })
    expect(() => createAddressGuard(webhooks.allowedCidrs)).not.toThrow()
  })
})
