import { Redis } from 'ioredis'
import type { Config } from '../../config/config.ts'
import { findMaster } from '../redis.ts'

const PATIENCE_MS = 2000

/** The answer of one Sentinel about the master. */
export interface SentinelAnswer {
  /** host:port of the Sentinel */
  sentinel: string
  /** host:port of the master that it names; null if it knows none of this name; undefined if it did not answer */
  master: string | null | undefined
  /** why it did not answer, or why its Sentinels could not choose another master now; undefined if all is well */
  fault: string | undefined
}

/** Asks each Sentinel of REDIS_SENTINELS for the master, and whether enough of them are there to replace it. */
export async function askSentinels(redis: Config['redis']): Promise<SentinelAnswer[]> {
  const { sentinels, sentinelPassword, sentinelTLS } = findMaster(redis)
  return await Promise.all(
    sentinels.map(async ({ host, port }) => {
      const client = new Redis({
        host,
        port,
        ...(sentinelPassword !== undefined && { password: sentinelPassword }),
        ...(sentinelTLS !== undefined && { tls: sentinelTLS }),
        lazyConnect: true,
        enableReadyCheck: false,
        connectTimeout: PATIENCE_MS,
        commandTimeout: PATIENCE_MS,
        retryStrategy: null,
      })
      // The call below has it too, mostly as "Connection is closed".
      let why: string | undefined
      client.on('error', (error: Error) => {
        why ??= error.message
      })
      try {
        await client.connect()
        return { sentinel: `${host}:${port}`, ...(await ask(client, redis.sentinelMaster)) }
      } catch (error) {
        const fault = why ?? (error instanceof Error ? error.message : 'no answer')
        return { sentinel: `${host}:${port}`, master: undefined, fault }
      } finally {
        client.disconnect()
      }
    }),
  )
}

async function ask(client: Redis, name: string): Promise<Pick<SentinelAnswer, 'master' | 'fault'>> {
  const told: unknown = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)
  if (!Array.isArray(told)) return { master: null, fault: undefined }
  const [host, port] = told.map(String)
  const quorum = client.call('SENTINEL', 'CKQUORUM', name)
  const fault = await quorum.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  )
  return { master: `${host}:${port}`, fault }
}
