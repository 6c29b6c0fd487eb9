import {
  createSecureAccountSchema,
  type CreateSecureAccountResult,
} from '#core/contract/accounts/account-functions.ts'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, signupDisabled, validationFailed } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { isBypassAccount } from '../guards/is-bypass-account.ts'
import { checkCaptcha } from '../guards/require-captcha.ts'
import { signUpWithoutSession } from '../sign-up/sign-up.ts'
import { answerRefusals, refused } from './answer-refusals.ts'

/** docs/product.md §2: the page that a person reaches after confirming the address. */
const LANDING = '/dashboard'

/** docs/product.md §6: test and administration accounts sign up without this function. */
const DIRECT = { success: false, message: 'This account signs up directly.', error: null, code: null }

/**
 * Signs up an ordinary person (docs/product.md §6) by the policy of the authentication service. A refusal is
 * returned in `error` and `code`.
 */
export async function createSecureAccount(
  context: AuthContext,
  body: unknown,
  caller: Caller,
): Promise<CreateSecureAccountResult> {
  const parsed = createSecureAccountSchema.safeParse(body ?? {})
  const nothing = { confirmation_required: false, direct_sign_up: false }
  if (!parsed.success)
    return { ...refused('E-mail and password are required'), code: 'validation_failed', ...nothing }
  const { email, password, captcha_token = '' } = parsed.data
  if (isBypassAccount(context, email)) return { ...DIRECT, ...nothing, direct_sign_up: true }
  const answer = await answerRefusals(
    async () => {
      await context.accounts.rates.spend('otp', caller.network)
      refuseClosed(context)
      await checkCaptcha(context, captcha_token, caller)
      refuseUnusable(email)
      const onward = { redirectTo: `${context.config.http.publicUrl}${LANDING}`, pkce: undefined }
      const { user } = await signUpWithoutSession(context, { email, password, data: {} }, onward, caller)
      const isConfirmed = user.email_confirmed_at !== null
      return {
        success: true,
        message: isConfirmed ? 'The account is ready.' : 'Check your email to confirm the account.',
        error: null,
        code: null,
        confirmation_required: !isConfirmed,
      }
    },
    ({ code, message }) => ({ ...refused(message), code }),
  )
  return { ...nothing, ...answer }
}

function refuseClosed({ config }: AuthContext): void {
  if (config.auth.isSignupDisabled) throw signupDisabled()
  if (!config.auth.email.isEnabled)
    throw new AuthError(400, 'email_provider_disabled', 'Email signups are disabled')
}

/** Uses the words of docs/product.md §5, which name the rule; the wire has one text for all. */
function refuseUnusable(email: string): void {
  const faults = validateEmail(normaliseEmail(email))
  if (faults.length > 0) throw validationFailed(faults.map((fault) => EMAIL_WORDS[fault]).join('. '))
}
