import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findRedisServer, REDIS_IS_MISSING, type RedisProgram } from './find-redis-server.ts'
import { freePort } from './free-port.ts'
import { startGuarded, type GuardedProcess } from './guarded-process.ts'

const SLOTS = 16_384
const START_TIMEOUT_MS = 60_000
/** A master that is silent for this long is voted out. */
const NODE_TIMEOUT_MS = 2000

export interface ClusterNode {
  port: number
  /** kill -9 */
  crash: () => Promise<void>
  /** brings it back with its data, as a replica of the node that now has its slots */
  start: () => Promise<void>
}

/** Three masters and a replica of each, all on the loopback. */
export interface RedisCluster {
  /** host:port of all six */
  nodes: string[]
  /** a URL of one node, with the password of all */
  url: string
  /** the node that has this key's slot now, according to the running nodes */
  masterOf: (key: string) => Promise<ClusterNode>
  /** that node, after the replica that would take its place; crashing both loses the slot for good */
  nodesOf: (key: string) => Promise<ClusterNode[]>
  /** asks the replica of a key's master to take over gracefully */
  failOver: (key: string) => Promise<void>
  /** moves a key's slot with its keys to another master */
  moveSlot: (key: string) => Promise<void>
  stop: () => Promise<void>
}

interface Member extends ClusterNode {
  id: string
  client: Redis
  stop: () => Promise<void>
}

export async function startRedisCluster(folder: string): Promise<RedisCluster> {
  const program = await findRedisServer()
  if (program === undefined) throw new Error(REDIS_IS_MISSING)
  const password = randomBytes(18).toString('hex')
  const members: Member[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.stop()))
  }
  try {
    for (let index = 0; index < 6; index += 1)
      members.push(await startMember(program, path.join(folder, `cluster-${index}`), password))
    await join(members)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    nodes: members.map(({ port }) => `127.0.0.1:${port}`),
    url: `redis://:${password}@127.0.0.1:${members[0]?.port ?? 0}`,
    masterOf: (key) => masterOf(members, key),
    nodesOf: async (key) => {
      const master = await masterOf(members, key)
      return [await replicaOf(members, master.id), master]
    },
    failOver: async (key) => {
      const master = await masterOf(members, key)
      const successor = await replicaOf(members, master.id)
      await successor.client.cluster('FAILOVER')
      await until('the replica to take over', async () => {
        const now = await masterOf(members, key)
        return now.id === successor.id
      })
    },
    moveSlot: (key) => moveSlot(members, key, password),
    stop,
  }
}

async function startMember(program: RedisProgram, folder: string, password: string): Promise<Member> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let attempt = 1; ; attempt += 1) {
    const member = await tryMember(program, folder, password)
    if (typeof member !== 'string') return member
    // Another process may have taken one of the two ports meanwhile.
    if (attempt === 3) throw new Error(`A node of the Redis Cluster did not start:\n${member}`)
  }
}

/** A member, or the last log lines of one that did not start. */
async function tryMember(program: RedisProgram, folder: string, password: string): Promise<Member | string> {
  const [port, busPort] = [await freePort(), await freePort()]
  const config = path.join(folder, 'redis.conf')
  await writeFile(config, settings(folder, port, busPort, password).join('\n'), { mode: 0o600 })
  const launch = (): GuardedProcess =>
    startGuarded({
      command: program.command,
      args: [config],
      cwd: folder,
      logFile: path.join(folder, 'redis.log'),
      stopSignal: 'SIGTERM',
      env: program.env,
    })
  let server = launch()
  // A busy machine may take seconds to start a process, so a command waits as long.
  const client = new Redis({
    port,
    host: '127.0.0.1',
    password,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  })
  client.on('error', () => undefined)
  const ended = server.exited.then(() => undefined)
  const id = await Promise.race([client.cluster('MYID'), ended])
  if (id === undefined) {
    client.disconnect()
    return server.lastWords()
  }
  return {
    port,
    id,
    client,
    crash: async () => {
      const pid = Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1])
      process.kill(pid, 'SIGKILL')
      await server.exited
    },
    start: async () => {
      server = launch()
      await client.ping()
    },
    stop: async () => {
      client.disconnect()
      await server.stop()
    },
  }
}

function settings(folder: string, port: number, busPort: number, password: string): string[] {
  return [
    `port ${port}`,
    `cluster-port ${busPort}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    `masterauth ${password}`,
    `dir "${folder}"`,
    'daemonize no',
    'cluster-enabled yes',
    `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
    'repl-diskless-sync-delay 0',
    'appendonly yes',
    'appendfsync everysec',
    'maxmemory-policy noeviction',
    'save ""',
    '',
  ]
}

/** Does the work of `redis-cli --cluster create`, which may not be installed: slots, meeting, replicas. */
async function join(members: readonly Member[]): Promise<void> {
  const masters = members.slice(0, 3)
  const [first] = members
  if (first === undefined) return
  for (const [index, member] of members.entries()) {
    await member.client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    const busPort = (await member.client.config('GET', 'cluster-port')) as string[]
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', String(member.port), busPort[1] ?? '')
  }
  for (const [index, master] of masters.entries()) {
    const from = Math.floor((index * SLOTS) / masters.length)
    const to = Math.floor(((index + 1) * SLOTS) / masters.length) - 1
    await master.client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  }
  await until('the nodes to know each other', () =>
    everyMember(members, async ({ client }) =>
      (await client.cluster('INFO')).includes('cluster_known_nodes:6'),
    ),
  )
  for (const [index, replica] of members.slice(3).entries())
    await replica.client.call('CLUSTER', 'REPLICATE', masters[index]?.id ?? '')
  await until('the replicas to follow', () =>
    everyMember(members.slice(3), async ({ client }) =>
      (await client.info('replication')).includes('master_link_status:up'),
    ),
  )
  await until('the cluster to stand', () =>
    everyMember(members, async ({ client }) => {
      const known = (await client.cluster('NODES')) as string
      const replicas = known.split('\n').filter((line) => line.includes('slave')).length
      return replicas === 3 && (await client.cluster('INFO')).includes('cluster_state:ok')
    }),
  )
}

async function everyMember(
  members: readonly Member[],
  holds: (member: Member) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(members.map(holds))).every(Boolean)
}

/** Lines of CLUSTER NODES from a node that answers: id, flags, master's id. */
async function readNodes(
  members: readonly Member[],
): Promise<Array<{ id: string; flags: string; masterId: string; slots: string[] }>> {
  const alive = members.find(({ client }) => client.status === 'ready')
  const lines = ((await alive?.client.cluster('NODES')) as string | undefined) ?? ''
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', , flags = '', masterId = '', , , , , ...slots] = line.split(' ')
      return { id, flags, masterId, slots }
    })
}

async function masterOf(members: readonly Member[], key: string): Promise<Member> {
  const alive = members.find(({ client }) => client.status === 'ready')
  const slot = Number(await alive?.client.cluster('KEYSLOT', key))
  const owner = (await readNodes(members)).find(
    ({ flags, slots }) =>
      flags.includes('master') &&
      !flags.includes('fail') &&
      slots.some((range) => {
        const [from = Number.NaN, to = from] = range.split('-').map(Number)
        return slot >= from && slot <= to
      }),
  )
  const member = members.find(({ id }) => id === owner?.id)
  if (member === undefined) throw new Error(`No living node has slot ${slot}`)
  return member
}

async function replicaOf(members: readonly Member[], masterId: string): Promise<Member> {
  const replica = (await readNodes(members)).find(
    (node) => node.masterId === masterId && !node.flags.includes('fail'),
  )
  const member = members.find(({ id }) => id === replica?.id)
  if (member === undefined) throw new Error('The master has no replica')
  return member
}

async function moveSlot(members: readonly Member[], key: string, password: string): Promise<void> {
  const from = await masterOf(members, key)
  const slot = String(await from.client.cluster('KEYSLOT', key))
  const others = (await readNodes(members)).filter(
    ({ id, flags }) => flags.includes('master') && !flags.includes('fail') && id !== from.id,
  )
  const to = members.find(({ id }) => id === others[0]?.id)
  if (to === undefined) throw new Error('There is no other master')
  await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
  await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
  for (;;) {
    const keys = (await from.client.call('CLUSTER', 'GETKEYSINSLOT', slot, '100')) as string[]
    if (keys.length === 0) break
    await from.client.call(
      'MIGRATE',
      '127.0.0.1',
      String(to.port),
      '',
      '0',
      '5000',
      'AUTH',
      password,
      'KEYS',
      ...keys,
    )
  }
  for (const member of [to, from]) await member.client.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Redis Cluster: waited in vain for ${what}`)
    await delay(50)
  }
}
