import { z } from 'zod'
import type { Config } from '#core/config/config.ts'
import { askServiceForJson } from '#core/http/ask-service.ts'
import { AuthError } from '../wire/auth-error.ts'

/** @throws AuthError sms_send_failed if the provider refuses or is away */
export type SendSms = (message: {
  phone: string
  text: string
  channel?: 'sms' | 'whatsapp'
}) => Promise<{ message_id: string }>

const TIMEOUT_MS = 8000

const answerSchema = z.object({ sid: z.string().catch('') })

/** Sends by Twilio's API, or by any service that speaks it. Undefined if no provider is configured. */
export function openSms({ sms }: Config['auth']): SendSms | undefined {
  if (sms === undefined) return undefined
  const { account, token, from, url } = sms
  return async ({ phone, text, channel = 'sms' }) => {
    const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
    try {
      const answer = await askServiceForJson({
        url: `${url}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
        credentials: { username: account, password: token },
        form: { To: `${prefix}+${phone}`, From: `${prefix}${from}`, Body: text },
        timeoutMs: TIMEOUT_MS,
      })
      return { message_id: answerSchema.parse(answer).sid }
    } catch {
      // The provider's own message quotes the phone.
      throw new AuthError(422, 'sms_send_failed', 'Error sending the message: the provider did not accept it')
    }
  }
}
