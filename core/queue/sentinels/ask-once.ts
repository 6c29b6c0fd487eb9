import { Redis, type RedisOptions } from 'ioredis'

const PATIENCE_MS = 2000

/**
 * Asks one Redis or Sentinel, over a connection of its own that is closed afterwards.
 * @returns its answer, or why there is none
 */
export async function askOnce<Answer>(
  options: RedisOptions,
  ask: (client: Redis) => Promise<Answer>,
): Promise<{ answer: Answer } | { fault: string }> {
  const client = new Redis({
    ...options,
    lazyConnect: true,
    enableReadyCheck: false,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    retryStrategy: null,
  })
  // The calls below have it too, mostly as "Connection is closed".
  let why: string | undefined
  client.on('error', (error: Error) => {
    why ??= error.message
  })
  try {
    await client.connect()
    return { answer: await ask(client) }
  } catch (error) {
    return { fault: why ?? (error instanceof Error ? error.message : 'no answer') }
  } finally {
    client.disconnect()
  }
}
