import type { Config } from '#core/config/config.ts'
import { openRateLimits, type CountingPlace, type Limit } from '#server/http/rate-limits.ts'
import { AuthError } from '../wire/auth-error.ts'

/**
 * Rates counted by the caller's address, and sign-ins also by browser. Mail and sms are counted for the whole service, and a share of them
 * by the address too. Codes to strangers have a part of both for themselves, and a share of it by the address.
 */
export type Rate = keyof Config['auth']['rates'] | Share | 'device' | 'contact'

type Kind = 'mail' | 'sms'
type Share = `${Kind}_${'share' | 'strangers' | 'strangers_share'}`

/**
 * The part of the service's hourly mails or messages that one network may use, so that no stranger uses them
 * up for all.
 */
const SHARE = 1 / 4

/**
 * Sign-ins in five minutes of a browser that is known already, when its network has used up its own: more than the five
 * wrong passwords that block it.
 */
const DEVICE_SIGN_INS = 10

/**
 * Codes in 24 hours to one contact of somebody without an account: anybody may have them sent to a stranger's phone or
 * address.
 */
const CONTACT_CODES = 10

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
  device: 300,
  mail_share: 3600,
  sms_share: 3600,
  mail_strangers: 3600,
  sms_strangers: 3600,
  mail_strangers_share: 3600,
  sms_strangers_share: 3600,
  contact: 24 * 3600,
}

const MAIL = { code: 'over_email_send_rate_limit', text: 'email rate limit exceeded' } as const
const SMS = { code: 'over_sms_send_rate_limit', text: 'SMS rate limit exceeded' } as const
const REFUSALS: Partial<Record<Rate, typeof MAIL | typeof SMS>> = {
  mail: MAIL,
  mail_share: MAIL,
  mail_strangers: MAIL,
  mail_strangers_share: MAIL,
  sms: SMS,
  sms_share: SMS,
  sms_strangers: SMS,
  sms_strangers_share: SMS,
}

export interface AccountRates {
  /** Counts one. @throws AuthError 429 if the key has used up its window */
  spend: (rate: Rate, key: string) => Promise<void>
}

/** Opens the rate limits of the accounts; their refusals use the wire's words. */
export function openAccountRates(rates: Config['auth']['rates'], redis: CountingPlace): AccountRates {
  const limits = Object.fromEntries(
    (Object.keys(WINDOW_SECONDS) as Rate[]).map((rate) => [
      rate,
      { points: pointsOf(rate, rates), seconds: WINDOW_SECONDS[rate] },
    ]),
  ) as Record<Rate, Limit>
  const { spend } = openRateLimits(limits, redis)
  return {
    spend: async (rate, key) => {
      const spent = await spend(rate, key)
      if (spent.ok) return
      const { code = 'over_request_rate_limit', text = 'Request rate limit reached' } = REFUSALS[rate] ?? {}
      // docs/product.md §8 looks for 'Too many requests' in the message.
      throw new AuthError(429, code, `${text}. Too many requests, please try again later.`, {
        retryAfterSeconds: spent.retry_after_seconds,
        limit: rate in REFUSALS ? 'send_rate' : 'request_rate',
      })
    },
  }
}

function pointsOf(rate: Rate, rates: Config['auth']['rates']): number {
  if (rate === 'mail_share' || rate === 'mail_strangers') return Math.ceil(rates.mail * SHARE)
  if (rate === 'sms_share' || rate === 'sms_strangers') return Math.ceil(rates.sms * SHARE)
  if (rate === 'mail_strangers_share') return Math.ceil(rates.mail * SHARE * SHARE)
  if (rate === 'sms_strangers_share') return Math.ceil(rates.sms * SHARE * SHARE)
  if (rate === 'device') return DEVICE_SIGN_INS
  if (rate === 'contact') return CONTACT_CODES
  return rates[rate]
}
