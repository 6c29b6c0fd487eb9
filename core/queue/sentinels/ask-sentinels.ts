import type { Redis } from 'ioredis'
import type { Config } from '../../config/config.ts'
import { findMaster, nodeCredentials } from '../redis.ts'
import { askOnce } from './ask-once.ts'

/** The answer of one Sentinel about the master. */
export interface SentinelAnswer {
  /** host:port of the Sentinel */
  sentinel: string
  /** host:port of the master that it names; null if it knows none of this name; undefined if it did not answer */
  master: string | null | undefined
  /** host:port of each replica that it may make the master */
  replicas: readonly string[]
  /** why it did not answer, or why its Sentinels could not choose another master now; undefined if all is well */
  fault: string | undefined
}

/** Asks each Sentinel of REDIS_SENTINELS for the master, and whether enough of them are there to replace it. */
export async function askSentinels(redis: Config['redis']): Promise<SentinelAnswer[]> {
  const { sentinels, sentinelPassword, sentinelTLS } = findMaster(redis)
  return await Promise.all(
    sentinels.map(async ({ host, port }) => {
      const options = {
        host,
        port,
        ...(sentinelPassword !== undefined && { password: sentinelPassword }),
        ...(sentinelTLS !== undefined && { tls: sentinelTLS }),
      }
      const asked = await askOnce(options, (client) => ask(client, redis.sentinelMaster))
      const sentinel = `${host}:${port}`
      return 'answer' in asked
        ? { sentinel, ...asked.answer }
        : { sentinel, master: undefined, replicas: [], fault: asked.fault }
    }),
  )
}

async function ask(client: Redis, name: string): Promise<Omit<SentinelAnswer, 'sentinel'>> {
  const told: unknown = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)
  if (!Array.isArray(told)) return { master: null, replicas: [], fault: undefined }
  const [host, port] = told.map(String)
  const quorum = client.call('SENTINEL', 'CKQUORUM', name)
  const fault = await quorum.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  const replicas = readReplicas(await client.call('SENTINEL', 'REPLICAS', name))
  return { master: `${host}:${port}`, replicas, fault }
}

/** Each replica is a list of names and values in turn. One with the priority 0 never becomes the master. */
function readReplicas(told: unknown): string[] {
  if (!Array.isArray(told)) return []
  return told.flatMap((replica: unknown) => {
    const words = Array.isArray(replica) ? replica.map(String) : []
    const read = (name: string): string | undefined => words[words.indexOf(name) + 1]
    return read('slave-priority') === '0' ? [] : [`${read('ip')}:${read('port')}`]
  })
}

/** Asks a Redis by its host:port for its INFO. */
export async function askNode(
  redis: Config['redis'],
  address: string,
): Promise<{ answer: string } | { fault: string }> {
  const at = address.lastIndexOf(':')
  const options = {
    ...nodeCredentials(redis),
    host: address.slice(0, at),
    port: Number(address.slice(at + 1)),
  }
  return await askOnce(options, (client) => client.info())
}
