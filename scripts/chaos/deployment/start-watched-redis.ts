import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../services/free-port.ts'
import { startGuarded } from '../../services/guarded-process.ts'
import { runCommand } from '../../services/run-command.ts'
import { waitUntil } from '../../lab/wait-until.ts'

const PASSWORD = 'word-of-redis'
const SENTINEL_PASSWORD = 'word-of-sentinel'

/** The programs of Redis, or of Valkey, on PATH; undefined without Sentinel. */
export async function findSentinel(): Promise<{ server: string; sentinel: string } | undefined> {
  for (const name of ['redis', 'valkey']) {
    const programs = { server: `${name}-server`, sentinel: `${name}-sentinel` }
    const answers = await Promise.all(
      Object.values(programs).map((one) => runCommand(one, ['--version']).catch(() => ({ code: 1 }))),
    )
    if (answers.every(({ code }) => code === 0)) return programs
  }
  return undefined
}

export interface WatchedRedis {
  /** the variables that lead to its master; the first Sentinel of the list is gone */
  variables: Record<string, string>
  /** kills the master, and waits until its replica has taken over */
  loseMaster: () => Promise<void>
  /** starts the lost one again, and waits until it follows the new master */
  bringBack: () => Promise<void>
  /** process ids of both, by their names */
  pids: () => Promise<Record<string, number>>
  stop: () => Promise<void>
}

/** Starts a master, a replica and a Sentinel that watches them. */
export async function startWatchedRedis(
  folder: string,
  programs: { server: string; sentinel: string },
): Promise<WatchedRedis> {
  const launched: { stop: () => Promise<void> }[] = []
  const run = (name: string, command: string): void => {
    const place = path.join(folder, name)
    const started = startGuarded({
      command,
      args: [path.join(place, 'its.conf')],
      cwd: place,
      logFile: path.join(place, 'log'),
      stopSignal: 'SIGTERM',
    })
    launched.push(started)
  }
  const launch = async (name: string, command: string, lines: readonly string[]) => {
    const place = path.join(folder, name)
    await mkdir(place, { recursive: true })
    const text = [...lines, `dir "${place}"`, 'bind 127.0.0.1', ''].join('\n')
    await writeFile(path.join(place, 'its.conf'), text, { mode: 0o600 })
    run(name, command)
  }
  const [first, second, sentinel, gone] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const common = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`, 'appendonly yes', 'save ""']
  const settings = [...common, 'maxmemory-policy noeviction', 'repl-diskless-sync-delay 0']
  await launch('first', programs.server, [`port ${first}`, ...settings])
  await launch('second', programs.server, [`port ${second}`, ...settings, `replicaof 127.0.0.1 ${first}`])
  const clientOf = (port: number): Redis => {
    const client = new Redis({
      port,
      password: PASSWORD,
      maxRetriesPerRequest: null,
      retryStrategy: () => 50,
    })
    client.on('error', () => undefined)
    return client
  }
  const both = [
    { name: 'first', client: clientOf(first) },
    { name: 'second', client: clientOf(second) },
  ] as const
  const [{ client: master }, { client: replica }] = both
  const says = async (client: Redis, words: string) => (await client.info('replication')).includes(words)
  await waitUntil(() => says(replica, 'master_link_status:up'), { what: 'The replica to follow' })
  await launch('sentinel', programs.sentinel, [
    `port ${sentinel}`,
    `requirepass ${SENTINEL_PASSWORD}`,
    `sentinel monitor leads 127.0.0.1 ${first} 1`,
    `sentinel auth-pass leads ${PASSWORD}`,
    'sentinel down-after-milliseconds leads 1000',
    'sentinel failover-timeout leads 5000',
  ])
  const asked = new Redis({
    port: sentinel,
    password: SENTINEL_PASSWORD,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  asked.on('error', () => undefined)
  const knowsReplica = async () =>
    ((await asked.call('SENTINEL', 'REPLICAS', 'leads')) as unknown[]).length > 0
  await waitUntil(knowsReplica, { what: 'The Sentinel to know the replica' })
  let lostOne: (typeof both)[number] | undefined
  return {
    variables: {
      REDIS_URL: `redis://:${PASSWORD}@any`,
      REDIS_SENTINELS: `127.0.0.1:${gone},127.0.0.1:${sentinel}`,
      REDIS_SENTINEL_MASTER: 'leads',
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    },
    loseMaster: async () => {
      const lost = (await says(master, 'role:master')) ? both[0] : both[1]
      const heir = lost === both[0] ? both[1] : both[0]
      process.kill(await pidOf(lost.client), 'SIGKILL')
      lostOne = lost
      await waitUntil(() => says(heir.client, 'role:master'), {
        what: 'The replica to take over',
        timeoutMs: 60_000,
      })
    },
    bringBack: async () => {
      if (lostOne === undefined) return
      const { name, client } = lostOne
      run(name, programs.server)
      // It starts as a master, until the Sentinel tells it otherwise.
      await waitUntil(() => says(client, 'master_link_status:up'), {
        what: 'The lost one to follow',
        timeoutMs: 60_000,
      })
      lostOne = undefined
    },
    pids: async () => {
      const running = both.filter((one) => one !== lostOne)
      return Object.fromEntries(
        await Promise.all(running.map(async ({ name, client }) => [name, await pidOf(client)] as const)),
      )
    },
    stop: async () => {
      for (const client of [master, replica, asked]) client.disconnect()
      for (const one of launched.toReversed()) await one.stop()
    },
  }
}

async function pidOf(client: Redis): Promise<number> {
  return Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1])
}
