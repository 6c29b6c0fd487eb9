import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readResidentBytes } from '../../bench/cpu.ts'
import type { LabProcess } from '../../lab/start-process.ts'
import { askMemory } from '../memory.ts'
import type { Deployment } from './stand-deployment.ts'

/** One look at a process of ours. A new pid is a new life. */
export interface ProcessSample {
  name: string
  pid: number
  seconds: number
  /** megabytes after a garbage collection: held by the program, and resident */
  held: number
  resident: number
  /** open files and sockets */
  descriptors: number
}

/** One look at the services. */
export interface ServiceSample {
  seconds: number
  keys: number
  /** megabytes by Redis' own count */
  redisMegabytes: number
  redisClients: number
  /** connections to PostgreSQL, of the pooler and direct ones */
  postgresConnections: number
  /** resident megabytes of both Redis processes */
  redisResident: number
}

export interface Samples {
  processes: ProcessSample[]
  services: ServiceSample[]
}

const EVERY_MS = 10_000
const MEGABYTE = 2 ** 20

/** Looks every ten seconds until stopped; what is away at a look, is left out of it. */
export function watchDeployment(world: Deployment): { stop: () => Promise<Samples> } {
  const startedAt = performance.now()
  const samples: Samples = { processes: [], services: [] }
  const stopped = new AbortController()
  const seconds = (): number => (performance.now() - startedAt) / 1000
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      for (const one of [...world.servers, ...world.workers]) {
        const sample = await sampleProcess(one).catch(() => undefined)
        if (sample !== undefined) samples.processes.push({ ...sample, seconds: seconds() })
      }
      const services = await sampleServices(world).catch(() => undefined)
      if (services !== undefined) samples.services.push({ ...services, seconds: seconds() })
      await sleep(EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      stopped.abort()
      await watching
      return samples
    },
  }
}

async function sampleProcess(one: LabProcess): Promise<Omit<ProcessSample, 'seconds'> | undefined> {
  if (!one.isRunning()) return undefined
  const pid = one.pid()
  const { held, resident } = await askMemory(one)
  // It may have been restarted meanwhile.
  if (one.pid() !== pid) return undefined
  return { name: one.name, pid, held, resident, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

async function sampleServices({ db, redis, watched }: Deployment): Promise<Omit<ServiceSample, 'seconds'>> {
  if ('nodes' in redis) throw new Error('Redis is a cluster')
  const within = AbortSignal.timeout(5000)
  const info = await Promise.race([redis.info(), failAt(within)])
  const numberOf = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where backend_type = 'client backend' and application_name <> 'chaos'`.execute(db)
  const pids = await Promise.race([watched.pids(), failAt(within)])
  return {
    keys: await Promise.race([redis.dbsize(), failAt(within)]),
    redisMegabytes: numberOf('used_memory') / MEGABYTE,
    redisClients: numberOf('connected_clients'),
    postgresConnections: rows[0]?.count ?? 0,
    redisResident: readResidentBytes(Object.values(pids)) / MEGABYTE,
  }
}

function failAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It did not answer in time')), { once: true })
  })
}
