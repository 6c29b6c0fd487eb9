import type { EndpointStanding, PresentWorkers } from '#core/contract/operations/waits.ts'
import type { Config } from '../config/config.ts'
import { SHARE } from '../fairness/limits.ts'
import { PIPELINE } from '../pipeline.ts'
import { findPaused } from './find-runnable.ts'
import { countPresentWorkers } from './present-workers.ts'
import { queuePrefix, type KeyNaming, type RedisConnection } from './redis.ts'

/** What only Redis knows of why deliveries wait. */
export interface CarriageState {
  workers: PresentWorkers
  /** a queue of deliveries is paused */
  is_paused: boolean
  /** of each endpoint that was asked for */
  standings: Map<string, EndpointStanding>
}

/** How much may be under way at once, for who explains why something waits (core/domain/webhooks/why-waiting.ts). */
export function waitLimits({ webhooks }: Pick<Config, 'webhooks'>) {
  return {
    newAtOnce: SHARE.newAtOnce,
    newPerClient: SHARE.newPerClient,
    endpointAtOnce: webhooks.endpointConcurrency,
    reserve: SHARE.reserve,
  }
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
    const [workers, paused, kept] = await Promise.all([
      countPresentWorkers(connection, prefix),
      findPaused(connection, naming, PIPELINE.sendDelivery.queues),
      endpoints.length === 0 ? [] : connection.mget(endpoints.map((id) => standingKey(prefix, id))),
    ])
    const standings = new Map(endpoints.map((id, index) => [id, readStanding(kept[index])]))
    return { workers, is_paused: paused.size > 0, standings }
  } catch {
    return null
  }
}
