import { sendOtpSchema, type FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { claimSend } from '../codes/claim-send.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { replaceMailedCode } from '../codes/data/mailed-codes.ts'
import { findUserByEmail } from '../people/data/users.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { queueOneTimeMail } from '../codes/issue-one-time.ts'
import { CODE_SECONDS, macCode, macsOfCode, mintCode } from '../codes/one-time-code.ts'
import { answerRefusals, asResult, refused } from './answer-refusals.ts'

const MAC_OF_ADDRESS = 'address of a mailed code'

/**
 * Mails a new code to the account's own address with our own template; a code that the caller sends is
 * ignored. An address without an account gets no mail, but the same answer after the same time.
 */
export async function sendOtpEmail(
  context: AuthContext,
  body: unknown,
  caller: Caller,
): Promise<FunctionResult> {
  const parsed = sendOtpSchema.safeParse(body ?? {})
  const email = parsed.success ? normaliseEmail(parsed.data.email) : ''
  if (validateEmail(email).length > 0) return refused(EMAIL_WORDS.bad_format)
  return await answerRefusals(async () => {
    await context.accounts.rates.spend('otp', caller.network)
    await claimSend(context, { kind: 'mail', purpose: 'code', address: email }, caller)
    await withMinimumDuration(context, () => mailCode(context, email, caller))
    return { success: true, message: 'If the address has an account, a code is on its way.', error: null }
  }, asResult)
}

/** The key of an address in the table of codes. */
function macAddress({ accounts: { codeKeys } }: Pick<AuthContext, 'accounts'>, email: string): Buffer {
  return macCode(codeKeys, MAC_OF_ADDRESS, email)
}

/** The keys that an address may have in the table of codes. */
export function macsOfAddress(
  { accounts: { codeKeys } }: Pick<AuthContext, 'accounts'>,
  email: string,
): Buffer[] {
  return macsOfCode(codeKeys, MAC_OF_ADDRESS, email)
}

async function mailCode(context: AuthContext, email: string, caller: Caller): Promise<void> {
  const code = mintCode()
  await context.db.transaction().execute(async (trx) => {
    const user_id = (await findUserByEmail(trx, email))?.id ?? null
    const { expires_at } = await replaceMailedCode(trx, {
      address_mac: macAddress(context, email),
      user_id,
      code_mac: macCode(context.accounts.codeKeys, email, code),
      seconds: Math.min(CODE_SECONDS, context.config.auth.otpSeconds),
    })
    if (user_id === null) return
    await queueOneTimeMail(context, trx, {
      user_id,
      template: 'account_code',
      to: email,
      secrets: { code, linkToken: '', codeExpiresAt: expires_at, linkExpiresAt: expires_at },
      link: null,
    })
    await writeAudit(trx, { action: 'code_requested', user_id, actor: 'nobody', caller })
  })
}
