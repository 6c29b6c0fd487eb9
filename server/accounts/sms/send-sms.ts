import got from 'got'
import type { Config } from '#core/config/config.ts'
import { AuthError } from '../wire/auth-error.ts'

/** @throws AuthError sms_send_failed when the provider refuses or is away */
export type SendSms = (message: {
  phone: string
  text: string
  channel?: 'sms' | 'whatsapp'
}) => Promise<{ message_id: string }>

const TIMEOUT_MS = 8000

/** Sends by Twilio's API, or by whatever speaks it. Undefined where no provider is configured. */
export function openSms({ sms }: Config['auth']): SendSms | undefined {
  if (sms === undefined) return undefined
  const { account, token, from, url } = sms
  return async ({ phone, text, channel = 'sms' }) => {
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    try {
      const answer = await got
        .post(`${url}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, {
          username: account,
          password: token,
          form: { To: `${prefix}+${phone}`, From: `${prefix}${from}`, Body: text },
          timeout: { request: TIMEOUT_MS },
          retry: { limit: 0 },
          followRedirect: false,
        })
        .json<{ sid?: unknown }>()
      return { message_id: typeof answer.sid === 'string' ? answer.sid : '' }
    } catch {
      // The provider's own words quote the phone.
      throw new AuthError(422, 'sms_send_failed', 'Error sending the message: the provider did not accept it')
    }
  }
}
