import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { rememberDevice } from '#server/accounts/devices/remember-device.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import { describeSession, type LiveSession } from '#server/accounts/sessions/describe-session.ts'
import { withError, withFragment, withQuery } from '../end-at-redirect.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { mailKinds, phoneKinds } from '#server/accounts/codes/one-time-types.ts'
import { readPhone } from '../read-address.ts'
import { readBody, receiveBody } from '../read-body.ts'
import { readRedirect } from '../read-redirect.ts'
import { verifyCode } from '#server/accounts/codes/verify-code.ts'
import { followLink, verifyLink } from '#server/accounts/codes/verify-link.ts'

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

const verifyBody = z.object({
  type: z.string().default(''),
  token: z.string().default(''),
  token_hash: z.string().default(''),
  email: z.string().default(''),
  phone: z.string().default(''),
})
type VerifyBody = z.infer<typeof verifyBody>

/** Typed codes, and links in mails. */
export function verifyRoutes(context: AuthContext): Router {
  const router = Router()
  router.post('/verify', receiveBody, async (request, response) => {
    const body = readBody(request, verifyBody)
    const caller = readCaller(request)
    await context.accounts.rates.spend('verify', caller.network)
    const live = await verify(context, body, caller)
    if (live !== undefined) rememberDevice(context, { request, response }, live.account.user.id)
    response.json(live === undefined ? { msg: HALF, code: '200' } : await describeSession(context, live))
  })

  // Programs that guard mailboxes fetch links before the reader does: a HEAD request must not use them up.
  router.head('/verify', (_request, response) => {
    response.status(200).end()
  })

  router.get('/verify', async (request, response) => {
    const { token, type } = request.query
    if (typeof token !== 'string' || token === '')
      throw validationFailed('Verify requires either a token or a token hash')
    if (typeof type !== 'string' || type === '') throw validationFailed('Verify requires a verification type')
    const caller = readCaller(request)
    await context.accounts.rates.spend('verify', caller.network)
    await follow(context, { request, response }, { token, type }, caller)
  })
  return router
}

async function verify(
  context: AuthContext,
  body: VerifyBody,
  caller: Caller,
): Promise<LiveSession | undefined> {
  const { type, token, token_hash, email, phone } = body
  if (type === '') throw validationFailed('Verify requires a verification type')
  if ((token === '') === (token_hash === ''))
    throw validationFailed('Verify requires either a token or a token hash')
  if (token_hash !== '') {
    if (email !== '' || phone !== '')
      throw validationFailed('Only the token_hash and type should be provided')
    const kinds = mailKinds(type)
    if (kinds === undefined) throw validationFailed('Unsupported verification type')
    return await verifyLink(context, { kinds, linkToken: token_hash }, caller)
  }
  if ((email === '') === (phone === ''))
    throw validationFailed('Only an email address or phone number should be provided on verify')
  const kinds = email === '' ? phoneKinds(type) : mailKinds(type)
  if (kinds === undefined) throw validationFailed('Unsupported verification type')
  // An address that no account can have is refused like a wrong code, without validation.
  const sentTo = email === '' ? readPhone(phone) : normaliseEmail(email)
  return await verifyCode(context, { kinds, sentTo, code: token }, caller)
}

/** Redirects the person, signed in or with the reason for the failure. */
async function follow(
  context: AuthContext,
  { request, response }: { request: Request; response: Response },
  { token, type }: { token: string; type: string },
  caller: Caller,
): Promise<void> {
  const redirectTo = readRedirect(context, request)
  const isPkce = token.startsWith('pkce_')
  try {
    const kinds = mailKinds(type)
    if (kinds === undefined) throw validationFailed('Unsupported verification type')
    const end = await followLink(context, { kinds, linkToken: token }, caller)
    if (end === 'half') {
      const base = isPkce ? withQuery(redirectTo, { message: HALF }) : redirectTo
      response.redirect(303, withFragment(base, { message: HALF }))
    } else if ('code' in end) {
      response.redirect(303, withQuery(redirectTo, { code: end.code }))
    } else {
      const { user: _user, ...members } = await describeSession(context, end.live)
      response.redirect(303, withFragment(redirectTo, { ...members, type }))
    }
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    response.redirect(303, withError(redirectTo, error, { isPkce }))
  }
}
