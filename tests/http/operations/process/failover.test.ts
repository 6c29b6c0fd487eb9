// Real pairs of PostgreSQL and Redis lose their masters while leads arrive. Skipped where Debian's PostgreSQL 15 or
// Redis Sentinel is not installed.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig, type Config } from '#core/config/config.ts'
import { nodeCredentials } from '#core/queue/redis.ts'
import { askOnce } from '#core/queue/sentinels/ask-once.ts'
import { askSentinels } from '#core/queue/sentinels/ask-sentinels.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { waitUntil } from '#tests/support/condition.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { findSentinel, startWatchedRedis } from '#scripts/chaos/deployment/start-watched-redis.ts'
import { hasStandby, startPair, type FollowedPostgres } from '#tests/support/services/standby.ts'
import { SEEDED, startFlow, type Flow } from './start-flow.ts'

const LEADS = 40
/** Lost jobs are made again only after a while. */
const LONG = { timeout: 240_000 }

/** Asks `leadwire doctor` about this. */
async function examineBy(env: LabEnvironment['env'], check: string) {
  const { stdout } = await runScript({ script: 'scripts/leadwire.ts', args: ['doctor', '--json'], env })
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; result: string; found: string; advice?: string }[]
  }
  return findings.find((finding) => finding.check === check)
}

describe.skipIf(!hasStandby())('with a standby', () => {
  let folder: string
  let primary: FollowedPostgres
  let standby: FollowedPostgres
  let environment: LabEnvironment
  let flow: Flow
  beforeAll(async () => {
    folder = await makeThrowAwayFolder('standby')
    ;({ primary, standby } = await startPair(folder))
    await migrateDatabase(primary.url)
    const [first, second] = [new URL(standby.url), new URL(primary.url)]
    environment = await createTestEnvironment({
      ...SEEDED,
      // The standby stands first, so that it must be recognised.
      DATABASE_URL: `${primary.url.replace(second.host, `${first.host},${second.host}`)}?target_session_attrs=read-write`,
      DATABASE_REPLICA_URL: standby.url,
      // The shortest, so that waiting for it is short.
      DATABASE_REPLICA_LAG_SECONDS: '1',
    })
    flow = await startFlow(environment.env)
  })
  afterAll(async () => {
    await flow.stop()
    await standby.stop()
    await primary.stop()
    await environment.close()
    await removeThrowAwayFolder(folder)
  })

  const list = async (): Promise<number> => {
    const { json } = await flow.call('GET', '/api/v1/leads?limit=100', undefined, flow.token)
    return (json['data'] as unknown[]).length
  }
  const countReads = async (): Promise<number> => {
    const asked = 'select xact_commit::int as count from pg_stat_database where datname = current_database()'
    const [row] = await standby.ask(asked)
    return Number(row?.['count'])
  }

  /** The standby first replays what it has begun. */
  const pauseReplay = async (): Promise<void> => {
    await standby.ask('select pg_wal_replay_pause()')
    const isPaused = async () =>
      (await standby.ask('select pg_get_wal_replay_pause_state() as state'))[0]?.['state'] === 'paused'
    await waitUntil(isPaused, { what: 'The standby to pause' })
  }
  /** Waits until the server logs this from now on. On a busy machine the replica seems to lag now and then. */
  const logged = async (line: string): Promise<void> => {
    const before = flow.server.output().length
    await waitUntil(() => flow.server.output().includes(line, before), { what: `"${line}"` })
  }
  const examine = async (check = 'Replica') => await examineBy(environment.env, check)

  test('doctor says which host can be written', async () => {
    const [here, there] = [new URL(primary.url).host, new URL(standby.url).host]
    expect(await examine('Hosts of DATABASE_URL')).toEqual({
      check: 'Hosts of DATABASE_URL',
      result: 'fine',
      found: `${there} is a standby, ${here} can be written`,
    })
  })

  test('lists are read from the replica, and an account reads what it wrote', async () => {
    await flow.post(0, LEADS)
    await flow.arrived(LEADS)
    await waitUntil(async () => (await list()) === LEADS, { what: 'The list' })
    const before = await countReads()
    const isElsewhere = async () => {
      await list()
      return (await countReads()) > before + 30
    }
    await waitUntil(isElsewhere, { what: 'Lists from the replica' })

    await waitUntil(async () => (await examine())?.result === 'fine', { what: 'A fine replica' })

    const lagging = logged('the replica lags or is away')
    await pauseReplay()
    await flow.post(LEADS, 1)
    // Nobody of the account wrote this lead, so its list may be old for a moment.
    await waitUntil(async () => (await list()) === LEADS + 1, { what: 'The list from the primary' })
    await lagging
    expect(await examine()).toMatchObject({
      result: 'doubtful',
      found: expect.stringMatching(/^is \d+ bytes behind/) as string,
    })

    const readAgain = logged('the replica is read again')
    await standby.ask('select pg_wal_replay_resume()')
    await readAgain
    await pauseReplay()
    expect((await flow.call('POST', '/api/v1/leads', { name: 'Ben Example' }, flow.token)).status).toBe(201)
    expect(await list()).toBe(LEADS + 2)
    await standby.ask('select pg_wal_replay_resume()')
  })

  test('an export is made from the replica, and lists go on without an error when it is gone', async () => {
    const asked = await flow.call('POST', '/api/v1/exports', { kind: 'leads', filters: {} }, flow.token)
    const path = `/api/v1/exports/${String(asked.json['id'])}`
    const show = async () => (await flow.call('GET', path, undefined, flow.token)).json
    await waitUntil(async () => (await show())['state'] === 'done', { what: 'The export' })
    expect((await show())['rows_done']).toBe(LEADS + 2)
    await standby.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'leadwire%'`,
    )
    expect(await list()).toBe(LEADS + 2)
  })

  test(
    'when the primary is lost, processes find the promoted standby, and no lead is lost',
    LONG,
    async () => {
      const posted = flow.post(LEADS + 1, LEADS)
      await primary.crash()
      await standby.ask('select pg_promote()')
      // Nobody follows the new primary yet.
      await standby.ask(`alter system set synchronous_standby_names = ''`)
      await standby.ask('select pg_reload_conf()')
      await posted
      await flow.post(2 * LEADS + 1, LEADS)
      await flow.arrived(3 * LEADS + 1)
      expect(await list()).toBe(100)
      const [lost, promoted] = [new URL(primary.url).host, new URL(standby.url).host]
      expect(await examine('Hosts of DATABASE_URL')).toMatchObject({
        result: 'doubtful',
        found: `${promoted} can be written, ${lost} cannot be used (ECONNREFUSED)`,
      })
    },
  )
})

async function setPolicy(redis: Config['redis'], address: string, policy: string): Promise<void> {
  const [host = '', port = ''] = address.split(':')
  const options = { ...nodeCredentials(redis), host, port: Number(port) }
  expect(await askOnce(options, (client) => client.config('SET', 'maxmemory-policy', policy))).toEqual({
    answer: 'OK',
  })
}

const sentinel = await findSentinel()
describe.skipIf(sentinel === undefined)('with Redis Sentinel', () => {
  test('when the master is lost, queues go on with its replica, and no lead is lost', LONG, async () => {
    if (sentinel === undefined) return
    const folder = await makeThrowAwayFolder('sentinel')
    const redis = await startWatchedRedis(folder, sentinel)
    const environment = await createTestEnvironment({ ...SEEDED, ...redis.variables })
    const flow = await startFlow(environment.env)
    onTestFinished(async () => {
      await flow.stop()
      await environment.close()
      await redis.stop()
      await removeThrowAwayFolder(folder)
    })
    const of = loadConfig(environment.env).redis
    const [replica = ''] = (await askSentinels(of)).flatMap(({ replicas }) => replicas)
    expect(await examineBy(environment.env, 'Redis replicas')).toMatchObject({
      result: 'fine',
      found: `${replica}, noeviction`,
    })
    await setPolicy(of, replica, 'allkeys-lru')
    expect(await examineBy(environment.env, 'Redis replicas')).toMatchObject({
      result: 'wrong',
      found: expect.stringMatching(`^${replica}: .* allkeys-lru `) as string,
    })
    await setPolicy(of, replica, 'noeviction')

    await flow.post(0, LEADS)
    const posted = flow.post(LEADS, LEADS)
    await redis.loseMaster()
    await posted
    await flow.post(2 * LEADS, LEADS)
    await flow.arrived(3 * LEADS)

    // The first Sentinel of the list is gone. ioredis would write that to standard error, as text.
    const [away, there] = String(redis.variables['REDIS_SENTINELS']).split(',')
    for (const program of [flow.server, flow.worker]) {
      expect(program.output()).toContain('a Redis Sentinel does not answer')
      expect(program.output()).not.toContain('[ioredis]')
    }
    expect(await examineBy(environment.env, 'Redis Sentinels')).toMatchObject({
      result: 'doubtful',
      found: expect.stringMatching(
        `^${away} does not answer \\(.*ECONNREFUSED.*\\); ${there} names 127.0.0.1:\\d+$`,
      ) as string,
    })
    expect(await examineBy(environment.env, 'Redis')).toMatchObject({ result: 'fine' })
    expect(await examineBy(environment.env, 'Redis replicas')).toMatchObject({ result: 'doubtful' })
    const other = { ...environment.env, REDIS_SENTINEL_MASTER: 'another' }
    expect(await examineBy(other, 'Redis Sentinels')).toMatchObject({
      result: 'wrong',
      found: expect.stringContaining(`${there} knows no master another`) as string,
    })
    const none = { ...environment.env, REDIS_SENTINELS: String(away) }
    expect(await examineBy(none, 'Redis Sentinels')).toMatchObject({ result: 'wrong' })
  })
})
