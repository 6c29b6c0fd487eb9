import { Router, type Request, type RequestHandler } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import { describeSession, type LiveSession } from '#server/accounts/sessions/describe-session.ts'
import { readBody, receiveBody } from '../read-body.ts'
import { requireCaptcha } from '#server/accounts/guards/require-captcha.ts'
import { readRedirect } from '../read-redirect.ts'
import { requireSecondFactor } from '#server/accounts/guards/require-second-factor.ts'
import { requireSession } from '#server/accounts/guards/require-session.ts'
import { refreshSession } from '#server/accounts/sessions/refresh-session.ts'
import { signInWithIdToken } from '#server/accounts/providers/sign-in-with-id-token.ts'
import { rememberDevice } from '#server/accounts/devices/remember-device.ts'
import { admitSignIn, signInWithPassword } from '#server/accounts/passwords/sign-in-with-password.ts'
import { requireWeb3, signInWithWeb3 } from '#server/accounts/providers/web3/sign-in-with-web3.ts'
import { tradeFlowCode } from '#server/accounts/sessions/trade-flow-code.ts'
import { requireManualLinking } from '#server/accounts/guards/require-manual-linking.ts'

/** One way to get a session; it reads its own body. Further members of its result are shown with the session. */
type Grant = (
  context: AuthContext,
  request: Request,
  caller: Caller,
) => Promise<LiveSession & { extra?: object }>

const GRANTS: Readonly<Record<string, Grant>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
  pkce: grantByFlowCode,
  id_token: grantByIdToken,
  web3: grantByWeb3,
}

export function tokenRoutes(context: AuthContext): Router {
  const router = Router()
  // An unknown grant is refused before its body is read.
  const onlyKnown: RequestHandler = (request, _response, next) => {
    const { name } = findGrant(request)
    if (name === 'web3') requireWeb3(context)
    next()
  }
  router.post('/token', onlyKnown, receiveBody, async (request, response) => {
    const { name, grant } = findGrant(request)
    const caller = readCaller(request)
    // A sign-in by password is counted by its account too, so it spends its rate itself.
    if (name !== 'password') await context.accounts.rates.spend('token', caller.network)
    const { extra, ...live } = await grant(context, request, caller)
    rememberDevice(context, { request, response }, live.account.user.id)
    response.json({ ...(await describeSession(context, live)), ...extra })
  })
  return router
}

/** @throws AuthError for an unknown grant type */
function findGrant(request: Request): { name: string; grant: Grant } {
  const name = request.query['grant_type']
  const grant = typeof name === 'string' && Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined
  if (typeof name !== 'string' || grant === undefined)
    throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
  return { name, grant }
}

const passwordBody = z.object({
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
})

async function grantByPassword(context: AuthContext, request: Request, caller: Caller) {
  const { email, phone, password } = readBody(request, passwordBody)
  const { auth } = context.config
  if (email !== '' && phone !== '')
    throw validationFailed('Only an email address or phone number should be provided on login.')
  if (email === '' && phone === '') throw validationFailed('missing email or phone')
  if (email !== '' && !auth.email.isEnabled)
    throw new AuthError(422, 'email_provider_disabled', 'Email logins are disabled')
  if (phone !== '' && !auth.phone.isEnabled)
    throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  const admitted = await admitSignIn(context, phone === '' ? { email } : { phone }, caller)
  // Programs could try passwords by the thousand.
  await requireCaptcha(context, request, caller)
  return await signInWithPassword(context, admitted, password, caller)
}

const refreshBody = z.object({ refresh_token: z.string().default('') })

async function grantByRefreshToken(
  context: AuthContext,
  request: Request,
  caller: Caller,
): Promise<LiveSession> {
  return await refreshSession(context, readBody(request, refreshBody).refresh_token, caller)
}

const flowCodeBody = z.object({ auth_code: z.string().default(''), code_verifier: z.string().default('') })

async function grantByFlowCode(context: AuthContext, request: Request, caller: Caller) {
  const body = readBody(request, flowCodeBody)
  if (body.auth_code === '' || body.code_verifier === '')
    throw validationFailed('invalid request: both auth code and code verifier should be non-empty')
  return await tradeFlowCode(context, body, caller)
}

const idTokenBody = z.object({
  provider: z.string().default(''),
  id_token: z.string().default(''),
  access_token: z.string().default(''),
  nonce: z.string().default(''),
  link_identity: z.boolean().default(false),
})

async function grantByIdToken(context: AuthContext, request: Request, caller: Caller): Promise<LiveSession> {
  const { link_identity: links, ...given } = readBody(request, idTokenBody)
  if (links) requireManualLinking(context)
  const holder = links ? await requireSession(context, request.get('Authorization')) : undefined
  if (holder !== undefined) requireSecondFactor(holder)
  const redirectTo = readRedirect(context, request)
  return await signInWithIdToken(context, { ...given, redirectTo, linking: holder }, caller)
}

const web3Body = z.object({
  chain: z.string().default(''),
  message: z.string().default(''),
  signature: z.string().default(''),
})

async function grantByWeb3(context: AuthContext, request: Request, caller: Caller): Promise<LiveSession> {
  await requireCaptcha(context, request, caller)
  // Fewer than for the other grants: each costs elliptic-curve arithmetic, and no person signs in so often.
  await context.accounts.rates.spend('sso', `web3 ${caller.network}`)
  return await signInWithWeb3(context, readBody(request, web3Body), caller)
}
