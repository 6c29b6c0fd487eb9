import { randomUUIDv7 } from 'node:crypto'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend, releaseSend, type Sending } from '../codes/claim-send.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteChallenge, insertChallenge } from './data/factor-challenges.ts'
import type { Factor } from './data/factors.ts'
import { lockUser } from '../people/data/users.ts'
import { macCode, mintCode } from '../codes/one-time-code.ts'
import { requireFactor, requireFactorType } from './require-own-factor.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { SendSms } from '../sms/send-sms.ts'

/** The way a code reaches a phone factor. */
interface Message {
  /** undefined for a phone that gets no message and always has the same code */
  send: SendSms | undefined
  phone: string
  code: string
}

/**
 * Begins a challenge, good for one right code from the same address. A phone is sent its code, except in a
 * challenge for a recovery code: then the phone is lost.
 */
export async function challengeFactor(
  context: AuthContext,
  holder: Principal,
  { factor_id: factorId, isForRecovery }: { factor_id: string; isForRecovery: boolean },
  caller: Caller,
) {
  const factor = await requireFactor(context.db, holder.user_id, factorId)
  requireFactorType(context, factor.factor_type, 'verify')
  const message = isForRecovery ? undefined : prepareMessage(context, factor)
  if (message !== undefined) await claimSend(context, sendingTo(message), caller)
  const id = randomUUIDv7()
  const code_mac = message === undefined ? null : macCode(context.accounts.codeKeys, id, message.code)
  const expiresAt = await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, holder.user_id)
    await requireFactor(trx, holder.user_id, factorId)
    await writeAudit(trx, {
      action: 'factor_challenged',
      user_id: holder.user_id,
      session_id: holder.session_id,
      caller,
      details: { factor_id: factorId, factor_type: factor.factor_type },
    })
    return await insertChallenge(trx, { id, factor_id: factorId, ip: caller.ip, code_mac })
  })
  // The message is sent after the commit: a provider may take seconds, and the lock on the user's factors
  // must not last that long.
  if (message?.send !== undefined) await deliver(context, id, message, message.send)
  return { id, type: factor.factor_type, expires_at: Math.floor(expiresAt.getTime() / 1000) }
}

function prepareMessage(context: AuthContext, { factor_type, phone }: Factor): Message | undefined {
  if (factor_type !== 'phone' || phone === null) return undefined
  const fixed = context.config.auth.testOtp.get(phone)
  if (fixed !== undefined) return { send: undefined, phone, code: fixed }
  if (context.accounts.sendSms === undefined)
    throw new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider')
  return { send: context.accounts.sendSms, phone, code: mintCode() }
}

async function deliver(context: AuthContext, id: string, message: Message, send: SendSms): Promise<void> {
  const text = `${message.code} is your Leadwire verification code. Never share it with anybody.`
  try {
    await send({ phone: message.phone, text })
  } catch (error) {
    // Nobody received the code: the challenge is void, and the next one need not wait.
    await deleteChallenge(context.db, id)
    await releaseSend(context, sendingTo(message))
    throw error
  }
}

function sendingTo({ phone }: Message): Sending {
  return { kind: 'sms', purpose: 'factor', address: phone }
}
