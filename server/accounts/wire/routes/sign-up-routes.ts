import { Router, type Request } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, signupDisabled, validationFailed } from '../auth-error.ts'
import { rememberDevice } from '#server/accounts/devices/remember-device.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import { describeSession } from '#server/accounts/sessions/describe-session.ts'
import { describeUser } from '../describe-user.ts'
import { isBypassAccount } from '#server/accounts/guards/is-bypass-account.ts'
import { readChannel } from '#server/accounts/sms/phone-code.ts'
import { metadataSchema, readBody, receiveBody } from '../read-body.ts'
import { pkceMembers, readPkce } from '#server/accounts/sessions/read-pkce.ts'
import { readRedirect } from '../read-redirect.ts'
import { requireCaptcha } from '#server/accounts/guards/require-captcha.ts'
import { signUpAnonymously } from '#server/accounts/sign-up/sign-up-anonymously.ts'
import { signUpByPhone } from '#server/accounts/sign-up/sign-up-by-phone.ts'
import { signUp, type SignedUp } from '#server/accounts/sign-up/sign-up.ts'

const signUpBody = z.object({
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
  data: metadataSchema.default({}),
  channel: z.string().default(''),
  ...pkceMembers,
})
type SignUpBody = z.infer<typeof signUpBody>

/** Sign-up by mail, by phone, or anonymously. */
export function signUpRoutes(context: AuthContext): Router {
  const router = Router()
  router.post('/signup', receiveBody, async (request, response) => {
    const body = readBody(request, signUpBody)
    const caller = readCaller(request)
    await requireCaptcha(context, request, caller)
    const signedUp = await chooseSignUp(context, request, body, caller)
    if ('live' in signedUp) rememberDevice(context, { request, response }, signedUp.live.account.user.id)
    response.json(
      'live' in signedUp ? await describeSession(context, signedUp.live) : describeUser(signedUp.account),
    )
  })
  return router
}

async function chooseSignUp(
  context: AuthContext,
  request: Request,
  body: SignUpBody,
  caller: Caller,
): Promise<SignedUp> {
  const { auth } = context.config
  const isAnonymous = body.email === '' && body.phone === ''
  if (!isBypassAccount(context, body.email))
    await context.accounts.rates.spend(isAnonymous ? 'anonymous' : 'otp', caller.network)
  if (body.email !== '' && body.phone !== '')
    throw validationFailed('Only an email address or phone number should be provided on signup.')
  if (isAnonymous && !auth.anonymousUsers)
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (auth.isSignupDisabled) throw signupDisabled()
  if (isAnonymous) return { live: await signUpAnonymously(context, body.data, caller) }
  if (body.email === '') {
    if (!auth.phone.isEnabled)
      throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
    requirePassword(body)
    const channel = readChannel(body.channel)
    if (readPkce(body) !== undefined) throw validationFailed('PKCE not supported for phone signups')
    return await signUpByPhone(context, { ...body, channel }, caller)
  }
  if (!auth.email.isEnabled) throw new AuthError(400, 'email_provider_disabled', 'Email signups are disabled')
  requirePassword(body)
  const onward = { redirectTo: readRedirect(context, request), pkce: readPkce(body) }
  return await signUp(context, body, onward, caller)
}

function requirePassword({ password }: SignUpBody): void {
  if (password === '') throw validationFailed('Signup requires a valid password')
}
