import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../wire/auth-error.ts'
import { releaseSend, type Sending } from '../codes/claim-send.ts'
import { issueOneTime } from '../codes/issue-one-time.ts'

export type Channel = 'sms' | 'whatsapp'

/** @throws AuthError validation_failed; an empty value means 'sms' */
export function readChannel(given: string): Channel {
  if (given === '') return 'sms'
  if (given === 'sms' || given === 'whatsapp') return given
  throw validationFailed(
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  )
}

/** @throws AuthError if nothing could be sent to this phone */
export function requirePhoneProvider({ config, accounts: { sendSms } }: AuthContext, phone: string): void {
  if (sendSms === undefined && !config.auth.testOtp.has(phone))
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
}

/** Makes the code for a phone; a phone of AUTH_TEST_OTP always has the same one. */
export async function issuePhoneCode(
  context: AuthContext,
  db: Db,
  { user_id, kind, phone }: { user_id: string; kind: OneTimeKind; phone: string },
): Promise<string> {
  const fixed = context.config.auth.testOtp.get(phone)
  const given = fixed === undefined ? {} : { code: fixed }
  return (await issueOneTime(context, db, { user_id, kind, sentTo: phone, ...given })).code
}

/**
 * Sends a code after the transaction that made it: a provider may take seconds. A phone of AUTH_TEST_OTP gets
 * no message.
 * @throws AuthError sms_send_failed; the next try need not wait
 */
export async function sendPhoneCode(
  context: AuthContext,
  sending: Sending & { kind: 'sms' },
  { code, channel }: { code: string; channel: Channel },
): Promise<{ message_id?: string }> {
  const { address: phone } = sending
  if (context.accounts.sendSms === undefined || context.config.auth.testOtp.has(phone)) return {}
  try {
    return await context.accounts.sendSms({ phone, text: textOf(code), channel })
  } catch (error) {
    await releaseSend(context, sending)
    throw error
  }
}

/**
 * Sends a code like {@link sendPhoneCode}, for callers who must get the same answer whether or not a message is sent.
 * So neither the time that the provider takes nor its answer may show. So a failure is only logged, and the next try
 * waits like any other.
 */
export function sendPhoneCodeLater(
  { config, accounts: { sendSms, afterAnswer } }: AuthContext,
  { phone, code, channel }: { phone: string; code: string; channel: Channel },
): void {
  if (sendSms === undefined || config.auth.testOtp.has(phone)) return
  afterAnswer(() => sendSms({ phone, text: textOf(code), channel }))
}

function textOf(code: string): string {
  return `Your Leadwire code is ${code}`
}
