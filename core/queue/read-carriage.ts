import type { EndpointStanding, PresentWorkers } from '#core/contract/operations/waits.ts'
import { isSendingPaused } from './find-runnable.ts'
import { countPresentWorkers } from './present-workers.ts'
import { queuePrefix, type KeyNaming, type RedisConnection } from './redis.ts'

/** What only Redis knows of why deliveries wait. */
export interface CarriageState {
  workers: PresentWorkers
  /** nobody claims deliveries */
  is_paused: boolean
  /** of each endpoint that was asked for */
  standings: Map<string, EndpointStanding>
}

/** Where a worker keeps how an endpoint has answered (worker/endpoint/endpoint-standings.ts). */
export const standingKey = (prefix: string, endpoint: string): string => `${prefix}:standing:${endpoint}`

/** `new` also where nothing is kept. */
export function readStanding(kept: string | null | undefined): EndpointStanding {
  return kept === 'proved' || kept === 'slow' ? kept : 'new'
}

/**
 * @param endpoints ids of configurations
 * @returns null while Redis is away
 */
export async function readCarriage(
  connection: RedisConnection,
  naming: KeyNaming,
  endpoints: readonly string[],
): Promise<CarriageState | null> {
  const prefix = queuePrefix(naming)
  try {
    const [workers, isPaused, kept] = await Promise.all([
      countPresentWorkers(connection, prefix),
      isSendingPaused(connection, naming),
      endpoints.length === 0 ? [] : connection.mget(endpoints.map((id) => standingKey(prefix, id))),
    ])
    const standings = new Map(endpoints.map((id, index) => [id, readStanding(kept[index])]))
    return { workers, is_paused: isPaused, standings }
  } catch {
    return null
  }
}
