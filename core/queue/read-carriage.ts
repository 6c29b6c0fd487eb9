import type { EndpointStanding, PresentWorkers } from '#core/contract/operations/waits.ts'
import type { Config } from '../config/config.ts'
import { judgeFromOutside } from '../fairness/judge-room.ts'
import { SHARE } from '../fairness/limits.ts'
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

/** The rule by which workers give slots, for who explains why something waits (core/domain/webhooks/why-waiting.ts). */
export function openJudgeRoom(config: { webhooks: Pick<Config['webhooks'], 'endpointConcurrency'> }) {
  const { endpointConcurrency } = config.webhooks
  type Asked = Omit<Parameters<typeof judgeFromOutside>[0], 'limit'>
  return (asked: Asked, workers: PresentWorkers) => {
    const limit =
      asked.standing === 'new' ? Math.min(SHARE.newAtOnce, endpointConcurrency) : endpointConcurrency
    return judgeFromOutside({ ...asked, limit }, workers)
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
