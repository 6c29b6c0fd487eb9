import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import { faultsOf, load, NEEDED } from './load-needed.ts'

describe('a fault', () => {
  it('is a captcha with only one of its two settings', () => {
    const fault = 'AUTH_CAPTCHA_PROVIDER: is of use only together with AUTH_CAPTCHA_SECRET'
    expect(faultsOf({ ...NEEDED, AUTH_CAPTCHA_PROVIDER: 'turnstile' })).toEqual([fault])
    expect(faultsOf({ ...NEEDED, AUTH_CAPTCHA_SECRET: 'shared' })).toEqual([fault])
  })

  it('is a first account with only one of its two settings', () => {
    expect(faultsOf({ ...NEEDED, SEED_ADMIN_EMAIL: 'ops@example.com' })).toEqual([
      'SEED_ADMIN_EMAIL: is of use only together with SEED_ADMIN_PASSWORD',
    ])
    expect(faultsOf({ ...NEEDED, SEED_CLIENT_PASSWORD: 'Long-enough-9' })).toEqual([
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
      ...NEEDED,
      SEED_CLIENT_EMAIL: 'client@example.com',
      SEED_CLIENT_PASSWORD: 's3cret',
      METRICS_TOKEN: 's3cret',
    })
    expect(short).toHaveLength(2)
    expect(short.join('\n')).not.toContain('s3cret')
  })

  it('is a password hash that production does not allow', () => {
    const cheap = { ...NEEDED, AUTH_PASSWORD_MEMORY_KIB: '19455' }
    expect(faultsOf({ ...cheap, NODE_ENV: 'test' })).toEqual([])
    expect(faultsOf(cheap)).toEqual([
      expect.stringMatching(/^AUTH_PASSWORD_MEMORY_KIB: .* refused in production/),
    ])
    expect(faultsOf({ ...NEEDED, AUTH_PASSWORD_MEMORY_KIB: '19456' })).toEqual([])
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
      const faults = faultsOf({ ...NEEDED, [name]: value })
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
