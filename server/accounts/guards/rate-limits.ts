import type { Cluster, Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '#core/config/config.ts'
import { AuthError } from '../wire/auth-error.ts'

/**
 * What is counted by the caller's address, but for mail and sms, which are counted for the whole service; of these a share is
 * counted by the address too.
 */
export type Rate = keyof Config['auth']['rates'] | 'mail_share' | 'sms_share'

/** One network may have so much of what the whole service sends in an hour: no single stranger silences it for all. */
const SHARE = 1 / 4

const WINDOW_SECONDS: Record<Rate, number> = {
  otp: 300,
  token: 300,
  verify: 300,
  sso: 300,
  anonymous: 3600,
  mfa: 60,
  events: 300,
  mail: 3600,
  sms: 3600,
  mail_share: 3600,
  sms_share: 3600,
}

const MAIL = { code: 'over_email_send_rate_limit', text: 'email rate limit exceeded' } as const
const SMS = { code: 'over_sms_send_rate_limit', text: 'SMS rate limit exceeded' } as const
const REFUSALS: Partial<Record<Rate, typeof MAIL | typeof SMS>> = {
  mail: MAIL,
  mail_share: MAIL,
  sms: SMS,
  sms_share: SMS,
}

export interface RateLimits {
  /** Counts one. @throws AuthError 429 when the key has spent what its window allows */
  spend: (rate: Rate, key: string) => Promise<void>
}

/**
 * Counts in Redis, for all servers together. While Redis is away each server counts for itself: a limit that is some times
 * too generous is better than a closed door.
 */
export function openRateLimits(
  rates: Config['auth']['rates'],
  redis: { client: Redis | Cluster; prefix: string } | undefined,
): RateLimits {
  const limiters = Object.fromEntries(
    (Object.keys(WINDOW_SECONDS) as Rate[]).map((rate) => {
      const options = {
        points: pointsOf(rate, rates),
        duration: WINDOW_SECONDS[rate],
        keyPrefix: `${redis?.prefix ?? ''}:rate:${rate}`,
      }
      const memory = new RateLimiterMemory(options)
      if (redis === undefined) return [rate, memory]
      const { client } = redis
      return [
        rate,
        new RateLimiterRedis({
          ...options,
          storeClient: client,
          insuranceLimiter: memory,
          rejectIfRedisNotReady: true,
        }),
      ]
    }),
  ) as Record<Rate, RateLimiterMemory | RateLimiterRedis>
  return {
    spend: async (rate, key) => {
      try {
        await limiters[rate].consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        const { code = 'over_request_rate_limit', text = 'Request rate limit reached' } = REFUSALS[rate] ?? {}
        // docs/product.md §8 looks for 'Too many requests' in the message.
        throw new AuthError(429, code, `${text}. Too many requests, please try again later.`, {
          retryAfterSeconds: Math.ceil(error.msBeforeNext / 1000),
          limit: rate in REFUSALS ? 'send_rate' : 'request_rate',
        })
      }
    },
  }
}

function pointsOf(rate: Rate, rates: Config['auth']['rates']): number {
  if (rate === 'mail_share') return Math.ceil(rates.mail * SHARE)
  if (rate === 'sms_share') return Math.ceil(rates.sms * SHARE)
  return rates[rate]
}
