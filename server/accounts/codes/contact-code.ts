import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { AuthContext } from '../auth-context.ts'
import { sendPhoneCodeLater } from '../sms/phone-code.ts'
import { checkCaptcha } from '../guards/require-captcha.ts'
import { AuthError } from '../wire/auth-error.ts'
import { claimSend, type Sending } from './claim-send.ts'
import { judgeRevocationCode, replaceRevocationCode } from './data/revocation-codes.ts'
import { CODE_SECONDS, macCode, macsOfCode, mintCode, MOST_WRONG_CODES } from './one-time-code.ts'

/** Seconds for which a code proves that a contact is somebody's own. */
export const CONTACT_CODE_SECONDS = CODE_SECONDS

/** A phone in E.164, or an e-mail address in lower case. */
interface ProvenContact {
  kind: 'phone' | 'email'
  value: string
}

/** Before a contact in its hash: a code for one purpose proves nothing for another. */
const PURPOSE = 'revocation of consent'

/**
 * Sends a code to a phone or an e-mail address of anybody, with or without an account, if a person asks for it.
 * @throws AppError rate_limited; validation_failed if no message can be sent to phones, or without a solved captcha
 */
export async function sendContactCode(
  context: AuthContext,
  contact: ProvenContact,
  { from, captchaToken }: { from: Caller; captchaToken: string },
): Promise<void> {
  const sending: Sending = {
    kind: contact.kind === 'phone' ? 'sms' : 'mail',
    purpose: 'revocation',
    address: addressOf(contact),
  }
  const isTest = context.config.auth.testOtp.has(sending.address)
  if (contact.kind === 'phone' && context.accounts.sendSms === undefined && !isTest) {
    const message = 'No code can be sent to phones here. Use your e-mail address, or write to us'
    throw new AppError('validation_failed', message, { errors: [{ path: 'contact', message }] })
  }
  await refusing(async () => {
    await context.accounts.rates.spend('otp', from.network)
    await checkCaptcha(context, captchaToken, from)
    await claimSend(context, sending, from)
    const { codeKeys, rates } = context.accounts
    if (!isTest) await rates.spend('contact', macCode(codeKeys, PURPOSE, contact.value).toString('base64url'))
  })
  const code = context.config.auth.testOtp.get(sending.address) ?? mintCode()
  await context.db.transaction().execute((trx) => keep(context, trx, contact, code))
  if (contact.kind === 'phone') sendPhoneCodeLater(context, { phone: sending.address, code, channel: 'sms' })
}

type Judged<T> = { verdict: 'right'; done: T } | { verdict: 'wrong' | 'over' }

/**
 * Judges a typed code. If it is right, it is used up in the transaction that does what it is for: when that fails, the
 * person can send the same code again.
 * @throws AppError rate_limited
 */
export async function spendContactCode<T>(
  context: AuthContext,
  { contact, code, from }: { contact: ProvenContact; code: string; from: Caller },
  work: (trx: Db) => Promise<T>,
): Promise<Judged<T>> {
  await refusing(() => context.accounts.rates.spend('verify', from.network))
  const { codeKeys } = context.accounts
  const given = {
    contact_macs: macsOfCode(codeKeys, PURPOSE, contact.value),
    code_macs: macsOfCode(codeKeys, `${PURPOSE} ${contact.value}`, code),
    mostWrong: MOST_WRONG_CODES,
  }
  return await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx): Promise<Judged<T>> => {
      const verdict = await judgeRevocationCode(trx, given)
      return verdict === 'right' ? { verdict, done: await work(trx) } : { verdict }
    }),
  )
}

async function keep(context: AuthContext, trx: Db, contact: ProvenContact, code: string): Promise<void> {
  const { codeKeys } = context.accounts
  const seal = (expiresAt: Date): string => {
    const data = {
      address: contact.value,
      code,
      code_expires_at: expiresAt.toISOString(),
      url: null,
      expires_at: expiresAt.toISOString(),
    }
    return context.secrets.seal('mails.sealed_data', JSON.stringify(data))
  }
  await replaceRevocationCode(trx, {
    contact_mac: macCode(codeKeys, PURPOSE, contact.value),
    contact_macs: macsOfCode(codeKeys, PURPOSE, contact.value),
    code_mac: macCode(codeKeys, `${PURPOSE} ${contact.value}`, code),
    seconds: CODE_SECONDS,
    mail: contact.kind === 'email' ? { address: contact.value, seal } : undefined,
  })
}

/** The name by which sends are counted: phones without their plus. */
function addressOf({ kind, value }: ProvenContact): string {
  return kind === 'phone' ? value.replace('+', '') : value
}

/** Turns refusals of the authentication service into those of the API. */
async function refusing(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    if (error.code === 'captcha_failed') {
      const message = 'Confirm that you are human, and send again'
      throw new AppError('validation_failed', message, { errors: [{ path: 'captcha_token', message }] })
    }
    if (error.status !== 429) throw error
    const { retryAfterSeconds } = error
    throw new AppError('rate_limited', error.message, {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
}
