import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Redis } from 'ioredis'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { openAccountRates, type AccountRates } from '#server/accounts/guards/account-rates.ts'
import { startRedisCluster } from '#scripts/services/redis-cluster.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startPrivateRedis, testRedisUrl, uniqueQueuePrefix } from '#tests/support/services/redis.ts'
import { enrollTotp } from '../factors/enroll-totp.ts'
import { post, signUpSomeone, startAuthServer } from '../wire/start-auth-server.ts'
import { wrongCode } from '../factors/totp-app.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const { auth } = loadConfig({
  DATABASE_URL: 'postgres://x',
  REDIS_URL: 'redis://x',
  AUTH_RATE_MFA: '3',
  AUTH_RATE_MAIL: '2',
})

function connect(url: string, clusterNodes?: string): RedisConnection {
  const { redis } = loadConfig({
    DATABASE_URL: 'postgres://x',
    REDIS_URL: url,
    ...(clusterNodes === undefined ? {} : { REDIS_CLUSTER_NODES: clusterNodes }),
  })
  const connection = openProducerConnection(redis)
  // Like the server, it continues without Redis.
  connection.on('error', () => undefined)
  ends.push(() => connection.disconnect())
  return connection
}

async function openLimits(url: string, prefix: string, clusterNodes?: string): Promise<AccountRates> {
  const client = connect(url, clusterNodes)
  await waitUntil(() => client.status === 'ready', { what: 'Redis' })
  return openAccountRates(auth.rates, { client, prefix })
}

/** Counts how many of several concurrent calls are let through. */
async function countPassed(spend: () => Promise<void>, calls: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: calls }, spend))
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('a limit', () => {
  it('holds for two servers together, even for simultaneous requests', async () => {
    const prefix = uniqueQueuePrefix()
    const servers = [await openLimits(testRedisUrl(), prefix), await openLimits(testRedisUrl(), prefix)]
    let turn = 0
    const spend = () => {
      turn += 1
      return servers[turn % 2]?.spend('mfa', '203.0.113.1') ?? Promise.resolve()
    }
    expect(await countPassed(spend, 40)).toBe(3)
  })

  it('holds for each key and each kind separately', async () => {
    const limits = await openLimits(testRedisUrl(), uniqueQueuePrefix())
    expect(await countPassed(() => limits.spend('mfa', 'one'), 10)).toBe(3)
    expect(await countPassed(() => limits.spend('mfa', 'two'), 10)).toBe(3)
    expect(await countPassed(() => limits.spend('verify', 'one'), 10)).toBe(10)
  })

  it('says when to retry, in the words that the app looks for', async () => {
    const limits = await openLimits(testRedisUrl(), uniqueQueuePrefix())
    await countPassed(() => limits.spend('mfa', 'one'), 3)
    await expect(limits.spend('mfa', 'one')).rejects.toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      message: expect.stringContaining('Too many requests') as string,
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60) as number,
    })
    await countPassed(() => limits.spend('mail', 'all'), 2)
    await expect(limits.spend('mail', 'all')).rejects.toMatchObject({
      status: 429,
      code: 'over_email_send_rate_limit',
    })
  })

  it('ends with its window', async () => {
    const prefix = uniqueQueuePrefix()
    const limits = await openLimits(testRedisUrl(), prefix)
    expect(await countPassed(() => limits.spend('mfa', 'one'), 5)).toBe(3)
    const client = connect(testRedisUrl())
    await waitUntil(() => client.status === 'ready', { what: 'Redis' })
    const [key = ''] = await (client as Redis).keys(`${prefix}*`)
    expect(await client.pttl(key)).toBeGreaterThan(0)
    // The minute is over.
    await client.pexpire(key, 1)
    await waitUntil(async () => (await client.exists(key)) === 0)
    expect(await countPassed(() => limits.spend('mfa', 'one'), 5)).toBe(3)
  })

  it('holds in a Redis cluster', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-cluster-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const cluster = await startRedisCluster(folder)
    ends.push(() => cluster.stop())
    const prefix = uniqueQueuePrefix()
    const nodes = cluster.nodes.join(',')
    const servers = [
      await openLimits(cluster.url, prefix, nodes),
      await openLimits(cluster.url, prefix, nodes),
    ]
    for (const key of ['one', 'two', 'three', 'four']) {
      let turn = 0
      const spend = () => {
        turn += 1
        return servers[turn % 2]?.spend('mfa', key) ?? Promise.resolve()
      }
      expect(await countPassed(spend, 12), key).toBe(3)
    }

    await cluster.stop()

    // Each server limits by itself: requests are neither all refused nor all allowed.
    expect(await countPassed(() => servers[0]?.spend('mfa', 'one') ?? Promise.resolve(), 12)).toBe(3)
  }, 90_000)
})

describe('the limits while Redis is away', () => {
  it('let users sign in, count in each server, and count together again afterwards', async () => {
    const redis = await startPrivateRedis()
    ends.push(() => redis.close())
    const prefix = uniqueQueuePrefix()
    const servers = [await openLimits(redis.url, prefix), await openLimits(redis.url, prefix)] as const
    expect(await countPassed(() => servers[0].spend('mfa', 'one'), 10)).toBe(3)

    await redis.stop()
    const begun = performance.now()
    for (const server of servers) expect(await countPassed(() => server.spend('mfa', 'one'), 10)).toBe(3)
    expect(performance.now() - begun).toBeLessThan(5000)

    await redis.start()
    await waitUntil(
      async () => {
        const key = `back-${Math.random()}`
        const passed = await countPassed(() => servers[0].spend('mfa', key), 3)
        const after = await countPassed(() => servers[1].spend('mfa', key), 3)
        return passed === 3 && after === 0
      },
      { what: 'counting together' },
    )
  })

  it('let users sign in even if Redis was never there', async () => {
    const client = connect('redis://127.0.0.1:1')
    const limits = openAccountRates(auth.rates, { client, prefix: uniqueQueuePrefix() })
    expect(await countPassed(() => limits.spend('mfa', 'one'), 10)).toBe(3)
  })
})

describe('a second factor', () => {
  it('has separate limits for challenges and for answers from one address', async () => {
    const server = await startAuthServer({ AUTH_RATE_MFA: '3' })
    ends.push(() => server.close())
    const { client, session } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    const from = (address: string) => ({
      Authorization: `Bearer ${session.access_token}`,
      'X-Supabase-Api-Version': '2024-01-01',
      'X-Forwarded-For': address,
    })
    const send = (step: 'challenge' | 'verify', address = '203.0.113.1') =>
      post(
        server,
        `/factors/${factorId}/${step}`,
        { challenge_id: factorId, code: wrongCode(secret) },
        from(address),
      )
    const statuses = async (step: 'challenge' | 'verify') =>
      (await Promise.all(Array.from({ length: 5 }, () => send(step)))).map(({ status }) => status)

    expect((await statuses('challenge')).filter((status) => status === 429)).toHaveLength(2)
    expect((await statuses('verify')).filter((status) => status === 429)).toHaveLength(2)
    const refused = await send('challenge')
    expect(refused.body).toMatchObject({ code: 'over_request_rate_limit' })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(refused.headers.get('Leadwire-Limit')).toBe('request_rate')
    expect((await send('challenge', '203.0.113.2')).status).toBe(200)
  })
})

describe('the limit of mails an hour', () => {
  it('gives one network a quarter at most, so that other users can recover their accounts', async () => {
    const server = await startAuthServer({ AUTH_RATE_MAIL: '8', AUTH_EMAIL_AUTOCONFIRM: '1' })
    ends.push(() => server.close())
    const { email } = await signUpSomeone(server)
    const recover = async (address: string, from: string) => {
      const { status, body } = await post(server, '/recover', { email: address }, { 'X-Forwarded-For': from })
      return status === 200 ? 200 : (body as { error_code?: string }).error_code
    }
    // All addresses of one IPv6 network count as one.
    const stranger = (n: number) => `2001:db8:0:7::${n}`
    expect(await recover('first@example.com', stranger(1))).toBe(200)
    expect(await recover('second@example.com', stranger(2))).toBe(200)
    for (const address of [email, 'nobody@example.com'])
      expect(await recover(address, stranger(3))).toBe('over_email_send_rate_limit')
    // The owner, whose address the stranger's refused mail named, gets a mail at once.
    expect(await recover(email, '203.0.113.9')).toBe(200)
  })
})
