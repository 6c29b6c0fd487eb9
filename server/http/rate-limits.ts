import type { Cluster, Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#core/errors.ts'

/** At most this many in a window, which begins with the first one. */
export interface Limit {
  points: number
  seconds: number
}

/** Whether one more was allowed; if not, when to try again. */
export type Spent = { ok: true } | { ok: false; retry_after_seconds: number }

export interface RateLimits<Rate extends string> {
  /** Counts one or more points for the key; refuses if the key has used up its window. */
  spend: (rate: Rate, key: string, points?: number) => Promise<Spent>
}

/** The Redis that counts; undefined for a process that counts alone. */
export type CountingPlace = { client: Redis | Cluster; prefix: string } | undefined

/**
 * Counts in Redis, for all servers together. While Redis is away each server counts for itself: a limit that
 * is a few times too generous is better than refusing everybody.
 */
export function openRateLimits<Rate extends string>(
  limits: Readonly<Record<Rate, Limit>>,
  redis: CountingPlace,
): RateLimits<Rate> {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterRedis>(
    Object.entries<Limit>(limits).map(([rate, { points, seconds }]) => {
      const options = { points, duration: seconds, keyPrefix: `${redis?.prefix ?? ''}:rate:${rate}` }
      const memory = new RateLimiterMemory(options)
      if (redis === undefined) return [rate, memory]
      return [
        rate,
        new RateLimiterRedis({
          ...options,
          storeClient: redis.client,
          insuranceLimiter: memory,
          rejectIfRedisNotReady: true,
        }),
      ]
    }),
  )
  return {
    spend: async (rate, key, points = 1) => {
      try {
        await limiters.get(rate)?.consume(key, points)
        return { ok: true }
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        return { ok: false, retry_after_seconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) }
      }
    },
  }
}

/**
 * Refuses a caller who exceeded a limit.
 * @param what the counted things, in the plural
 * @throws AppError rate_limited
 */
export function requireAllowed(spent: Spent, what: string): void {
  if (spent.ok) return
  const { retry_after_seconds: retryAfterSeconds } = spent
  throw new AppError('rate_limited', describeTooMany(what, retryAfterSeconds), { retryAfterSeconds })
}

/** The text for a caller who exceeded a limit. */
export function describeTooMany(what: string, seconds: number): string {
  return `Too many ${what}. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`
}
