import type { EndpointStanding, PresentWorkers } from '#core/contract/operations/waits.ts'
import { HEAVY } from '../fairness/limits.ts'
import { isSendingPaused } from './find-runnable.ts'
import { countPresentWorkers } from './present-workers.ts'
import { queuePrefix, type KeyNaming, type RedisConnection } from './redis.ts'

/** The part of the reasons for waiting that only Redis knows. */
export interface QueueState {
  workers: PresentWorkers
  /** whether no worker claims deliveries */
  is_paused: boolean
  /** for each endpoint that was asked for */
  speeds: Map<string, EndpointStanding>
  /** the endpoints among them whose last deliveries were heavy (worker/dispatch/heavy-payloads.ts) */
  heavy: Set<string>
}

/** The key of an endpoint's speed class (worker/endpoint/speed-classes.ts). */
export const speedKey = (prefix: string, endpoint: string): string => `${prefix}:standing:${endpoint}`

/** The key of the weight of an endpoint's deliveries, while they are heavy. */
export const weightKey = (prefix: string, endpoint: string): string => `${prefix}:weight:${endpoint}`

/** Returns `new` also if nothing is stored. */
export function readSpeed(kept: string | null | undefined): EndpointStanding {
  return kept === 'proved' || kept === 'slow' ? kept : 'new'
}

/** Returns undefined if nothing readable is stored. */
export function readWeight(kept: string | null | undefined): number | undefined {
  const weight = Number(kept ?? Number.NaN)
  return weight > HEAVY.free ? weight : undefined
}

/**
 * @param endpoints ids of configurations
 * @returns null while Redis is away
 */
export async function readQueueState(
  connection: RedisConnection,
  naming: KeyNaming,
  endpoints: readonly string[],
): Promise<QueueState | null> {
  const prefix = queuePrefix(naming)
  try {
    const keys = [
      ...endpoints.map((id) => speedKey(prefix, id)),
      ...endpoints.map((id) => weightKey(prefix, id)),
    ]
    const [workers, isPaused, kept] = await Promise.all([
      countPresentWorkers(connection, prefix),
      isSendingPaused(connection, naming),
      keys.length === 0 ? [] : connection.mget(keys),
    ])
    const speeds = new Map(endpoints.map((id, index) => [id, readSpeed(kept[index])]))
    const heavy = endpoints.filter((_id, index) => readWeight(kept[endpoints.length + index]) !== undefined)
    return { workers, is_paused: isPaused, speeds, heavy: new Set(heavy) }
  } catch {
    return null
  }
}
