import { verifyOtpSchema, type FunctionResult } from '#core/contract/accounts/account-functions.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { judgeMailedCode, type CodeJudgement } from '../codes/data/mailed-codes.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { alertToGuesses } from '../codes/judge-typed-code.ts'
import { macsOfCode, MOST_WRONG_CODES } from '../codes/one-time-code.ts'
import { answerRefusals, asResult, refused } from './answer-refusals.ts'
import { macsOfAddress } from './send-otp-email.ts'

const NONE = 'No OTP found. Please request a new one.'

/** Judges the code that send-otp-email mailed; answers with the messages of docs/product.md §5. */
export async function verifyOtp(
  context: AuthContext,
  body: unknown,
  caller: Caller,
): Promise<FunctionResult> {
  const parsed = verifyOtpSchema.safeParse(body ?? {})
  if (!parsed.success) return refused(NONE)
  const email = normaliseEmail(parsed.data.email)
  const otp = parsed.data.otp.trim()
  return await answerRefusals(async () => {
    await context.accounts.rates.spend('verify', caller.network)
    const judged = await withMinimumDuration(context, () => judge(context, email, otp, caller))
    return answer(judged)
  }, asResult)
}

async function judge(
  context: AuthContext,
  email: string,
  otp: string,
  caller: Caller,
): Promise<CodeJudgement> {
  return await context.db.transaction().execute(async (trx) => {
    const judgement = await judgeMailedCode(trx, {
      address_macs: macsOfAddress(context, email),
      code_macs: macsOfCode(context.accounts.codeKeys, email, otp),
      mostWrong: MOST_WRONG_CODES,
    })
    if (judgement.outcome !== 'none' && judgement.user_id !== null) {
      const { outcome, user_id } = judgement
      const action = outcome === 'right' ? 'code_verified' : 'code_failed'
      await writeAudit(trx, { action, user_id, actor: 'nobody', caller, details: { outcome } })
      if (judgement.outcome === 'wrong' && judgement.isLast) await alertToGuesses(trx, user_id, caller)
    }
    return judgement
  })
}

function answer(judged: CodeJudgement): FunctionResult {
  switch (judged.outcome) {
    case 'right':
      return { success: true, message: 'OTP verified.', error: null }
    case 'wrong':
      return refused(`Invalid OTP. ${judged.left} attempts remaining.`)
    case 'expired':
      return refused('OTP has expired. Please request a new one.')
    case 'too_many':
      return refused('Too many failed attempts. Please request a new OTP.')
    case 'none':
      return refused(NONE)
  }
}
