// The processes of docker-compose.yml with the environment that it gives them; skipped without Caddy or Redis.
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { Redis } from 'ioredis'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { makeKeys } from '#scripts/services/make-keys.ts'
import { copyTemplate, type CopiedDatabase } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findMissingProgram, startTopology, type Topology } from '#tests/support/deploy/start-topology.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { givenServices } from '#tests/support/services/services.ts'

const EMAIL = 'admin@example.com'
/** Five processes start here, and a server stops and starts again. */
const PATIENCE_MS = 120_000
const missing = await findMissingProgram()

describe.skipIf(missing !== undefined)('one machine as docker-compose.yml describes it', () => {
  let database: CopiedDatabase
  let receiver: Receiver
  let topology: Topology
  let agent: Agent
  beforeAll(async () => {
    database = await copyTemplate(givenServices())
    receiver = await startReceiver(200)
    topology = await startTopology(
      {
        ...parseEnv(readFileSync('.env.example', 'utf8')),
        ...(await makeKeys()),
        POSTGRES_PASSWORD: decodeURIComponent(new URL(database.url).password),
        REDIS_PASSWORD: 'fromDotEnv2',
        TLS: 'files',
        METRICS_TOKEN: 'token-of-prometheus',
        SEED_ADMIN_EMAIL: EMAIL,
        SEED_ADMIN_PASSWORD: PASSWORD,
        AUTH_ADMIN_MFA: '0',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        FILES_RESERVE_MB: '0',
      },
      new URL(database.url),
    )
    agent = new Agent({ connect: { ca: topology.authority } })
    await waitUntil(async () => (await ask('/readyz').catch(() => undefined))?.status === 200, {
      what: 'Caddy',
    })
  }, PATIENCE_MS)
  afterAll(async () => {
    await agent?.close()
    await topology?.stop()
    await receiver?.close()
    await database?.drop()
  })

  async function ask(path: string, { bearer = '', body }: { bearer?: string; body?: unknown } = {}) {
    const { statusCode, body: answer } = await request(topology.url + path, {
      dispatcher: agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: statusCode,
      json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
    }
  }

  test(
    'delivers every lead that comes through TLS while a worker is killed and a server restarts',
    async () => {
      const session = await ask('/auth/v1/token?grant_type=password', {
        body: { email: EMAIL, password: PASSWORD },
      })
      const token = String(session.json['access_token'])
      const webhook = { webhook_name: 'CRM', endpoint_url: receiver.url, trigger_on_lead_created: true }
      await ask('/api/v1/webhook-configs', {
        bearer: token,
        body: { ...webhook, trigger_on_lead_assigned: false },
      })
      const source = await ask('/api/v1/admin/sources', { bearer: token, body: { name: 'Page' } })
      let posted = 0
      const post = async (): Promise<void> => {
        posted += 1
        const body = {
          lead_type: 'auto',
          name: 'Ana Example',
          email: `ana.${posted}@example.com`,
          external_id: String(posted),
        }
        const answer = await ask('/api/v1/leads', { bearer: String(source.json['api_key']), body })
        expect(answer.status).toBe(201)
      }
      const allArrived = () =>
        waitUntil(
          () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size === posted,
          {
            what: 'Every lead',
          },
        )
      await post()
      await allArrived()

      const [first, second] = topology.servers
      await topology.workers[0]?.kill()
      const restart = { isOver: false }
      const restarted = (async () => {
        await first?.stop()
        await first?.restart()
        restart.isOver = true
      })()
      while (!restart.isOver) await Promise.all([post(), setTimeout(20)])
      await restarted
      expect(posted).toBeGreaterThan(20)
      await allArrived()

      // The restarted server takes requests again when it is the only one.
      await second?.stop()
      await post()
      await allArrived()
    },
    2 * PATIENCE_MS,
  )

  test('has migrated its database, and its health checks tell a worker that runs from one that was killed', async () => {
    expect(topology.migrated).toContain('The database is up to date')
    const checks = topology.workers.map((worker) => topology.isHealthy(worker))
    expect(await Promise.all(checks)).toEqual([false, true])
  })

  test('shows the metrics of a server to the token alone, though Prometheus is in its network', async () => {
    const askWith = async (headers: Record<string, string>) =>
      (await fetch(`${topology.serverUrl}/metrics`, { headers })).status
    expect(await askWith({})).toBe(403)
    expect(await askWith({ authorization: 'Bearer token-of-prometheus' })).toBe(200)
  })

  test('has a Redis with a password that refuses jobs when it is full and writes each to disk', async () => {
    const redis = new Redis(topology.redisUrl)
    const stranger = new Redis(topology.redisUrl.replace(/:[^@/]*@/, ''), { enableReadyCheck: false })
    stranger.on('error', () => undefined)
    expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
    expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes'])
    await expect(stranger.ping()).rejects.toThrow('NOAUTH')
    redis.disconnect()
    stranger.disconnect()
  })
})
