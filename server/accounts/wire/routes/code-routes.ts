import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import type { Onward } from '#server/accounts/codes/mail-one-time.ts'
import { readChannel } from '#server/accounts/sms/phone-code.ts'
import { metadataSchema, readBody, receiveBody } from '../read-body.ts'
import { pkceMembers, readPkce } from '#server/accounts/sessions/read-pkce.ts'
import { readRedirect } from '../read-redirect.ts'
import { requireCaptcha } from '#server/accounts/guards/require-captcha.ts'
import { requireSession } from '#server/accounts/guards/require-session.ts'
import { reauthenticate } from '#server/accounts/codes/reauthenticate.ts'
import { recoverAccount } from '#server/accounts/codes/recover-account.ts'
import { resendMail } from '#server/accounts/codes/resend-mail.ts'
import { resendMessage } from '#server/accounts/codes/resend-message.ts'
import { sendMagicLink } from '#server/accounts/codes/send-magic-link.ts'
import { sendSignInCode } from '#server/accounts/codes/send-sign-in-code.ts'

const addresses = { email: z.string().default(''), phone: z.string().default('') }
const otpBody = z.object({
  ...addresses,
  ...pkceMembers,
  create_user: z.boolean().default(true),
  data: metadataSchema.default({}),
  channel: z.string().default(''),
})
const recoverBody = z.object({ ...addresses, ...pkceMembers })
const resendBody = z.object({ ...addresses, ...pkceMembers, type: z.string().default('') })

/** Calls that send codes and links. Each answers the same whether or not there is an account. */
export function codeRoutes(context: AuthContext): Router {
  const router = Router()
  const { auth } = context.config

  async function guard(request: Request): Promise<Caller> {
    const caller = readCaller(request)
    await requireCaptcha(context, request, caller)
    await context.accounts.rates.spend('otp', caller.network)
    return caller
  }
  function readOnward(request: Request, body: Parameters<typeof readPkce>[0]): Onward {
    return { redirectTo: readRedirect(context, request), pkce: readPkce(body) }
  }

  router.post('/otp', receiveBody, async (request, response) => {
    const body = readBody(request, otpBody)
    const caller = await guard(request)
    const { email, phone, create_user: createsUser } = body
    if (email === '' && phone === '') throw validationFailed('One of email or phone must be set')
    if (email !== '' && phone !== '')
      throw validationFailed('Only an email address or phone number should be provided')
    if (email !== '') {
      if (body.channel !== '') throw validationFailed('Channel should only be specified with Phone OTP')
      if (!auth.email.isEnabled) throw loginsDisabled('email', 422)
      await sendMagicLink(context, { email, data: body.data, createsUser }, readOnward(request, body), caller)
      response.json({})
      return
    }
    if (!auth.phone.isEnabled) throw loginsDisabled('phone', 422)
    const given = { phone, data: body.data, createsUser, channel: readChannel(body.channel) }
    response.json(await sendSignInCode(context, given, caller))
  })

  router.post('/magiclink', receiveBody, async (request, response) => {
    const body = readBody(request, otpBody)
    const caller = await guard(request)
    if (!auth.email.isEnabled)
      throw new AuthError(422, 'email_provider_disabled', 'Login with magic link is disabled')
    if (body.email === '') throw validationFailed('An email address is required')
    const given = { email: body.email, data: body.data, createsUser: true }
    await sendMagicLink(context, given, readOnward(request, body), caller)
    response.json({})
  })

  router.post('/recover', receiveBody, async (request, response) => {
    const body = readBody(request, recoverBody)
    const caller = await guard(request)
    if (!auth.email.isEnabled) throw loginsDisabled('email', 400)
    if (body.email === '') throw validationFailed('Password recovery requires an email')
    await recoverAccount(context, body, readOnward(request, body), caller)
    response.json({})
  })

  router.post('/resend', receiveBody, async (request, response) => {
    const body = readBody(request, resendBody)
    const caller = await guard(request)
    const { type } = body
    refuseUnfit(body)
    if (type === 'signup' || type === 'email_change') {
      if (!auth.email.isEnabled) throw loginsDisabled('email', 400)
      await resendMail(context, { type, email: body.email }, readOnward(request, body), caller)
      response.json({})
    } else if (type === 'sms' || type === 'phone_change') {
      if (!auth.phone.isEnabled) throw loginsDisabled('phone', 400)
      await resendMessage(context, { type, phone: body.phone }, caller)
      // The id of the message is left out too: it would exist only if somebody waited for it.
      response.json({})
    }
  })

  // The wire uses GET; POST also works and suits a request that sends something.
  async function askAgain(request: Request, response: Response): Promise<void> {
    const holder = await requireSession(context, request.get('Authorization'))
    response.json(await reauthenticate(context, holder, readCaller(request)))
  }
  router.get('/reauthenticate', askAgain)
  router.post('/reauthenticate', askAgain)
  return router
}

function loginsDisabled(kind: 'email' | 'phone', status: 400 | 422): AuthError {
  return kind === 'email'
    ? new AuthError(status, 'email_provider_disabled', 'Email logins are disabled')
    : new AuthError(status, 'phone_provider_disabled', 'Phone logins are disabled')
}

/** @throws AuthError for a type that cannot be sent again, or an address that does not match it */
function refuseUnfit({ type, email, phone }: z.infer<typeof resendBody>): void {
  const wants = { signup: 'email', email_change: 'email', sms: 'phone', phone_change: 'phone' }
  if (!Object.hasOwn(wants, type))
    throw validationFailed('Missing one of these types: signup, email_change, sms, phone_change')
  if (email === '' && phone === '') throw validationFailed('Missing email address or phone number')
  if (email !== '' && phone !== '')
    throw validationFailed('Only an email address or phone number should be provided.')
  const wanted = wants[type as keyof typeof wants]
  if (wanted === 'email' && email === '') throw validationFailed('Type provided requires an email address')
  if (wanted === 'phone' && phone === '') throw validationFailed('Type provided requires a phone number')
}
