import { isIP } from 'node:net'
import { Router, type Request } from 'express'
import { z } from 'zod'
import { allowOrigins } from './allow-origins.ts'
import { answerAuthErrors } from './answer-auth-error.ts'
import type { AuthContext } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { MAILER_AUTOCONFIRM } from './auth-policy.ts'
import { readAccount } from './data/accounts.ts'
import { describeSession } from './describe-session.ts'
import { describeUser } from './describe-user.ts'
import { readBody, receiveBody } from './read-body.ts'
import { requireSession } from './require-session.ts'
import { refreshSession } from './use-cases/refresh-session.ts'
import { signInWithPassword } from './use-cases/sign-in-with-password.ts'
import { SIGN_OUT_SCOPES, signOut } from './use-cases/sign-out.ts'
import { signUp } from './use-cases/sign-up.ts'

const emailOrPhone = {
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
}
const signUpBody = z.object({ ...emailOrPhone, data: z.record(z.string(), z.unknown()).default({}) })
const passwordGrantBody = z.object(emailOrPhone)
const refreshGrantBody = z.object({ refresh_token: z.string().default('') })

/** The authentication service, to be mounted at `/auth/v1` before any middleware that reads bodies. */
export function createAuthRouter(context: AuthContext): Router {
  const router = Router()
  router.use(allowOrigins)

  router.get('/health', (_request, response) => {
    response.json({ version: 'v1', name: 'Leadwire Auth', description: 'Accounts and sessions of Leadwire' })
  })

  router.get('/settings', (_request, response) => {
    response.json({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: MAILER_AUTOCONFIRM,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    })
  })

  router.get('/.well-known/jwks.json', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=600').json({ keys: [context.keys.publicJwk] })
  })

  // All that follows is about one person: no cache may keep it.
  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })

  router.post('/signup', receiveBody, async (request, response) => {
    const body = readBody(request, signUpBody)
    requireEmail(body, SIGN_UP_TEXTS)
    if (body.password === '')
      throw new AuthError(400, 'validation_failed', 'Signup requires a valid password')
    response.json(await describeSession(context, await signUp(context, body)))
  })

  router.post('/token', receiveBody, async (request, response) => {
    const live = await grantSession(context, request)
    response.json(await describeSession(context, live))
  })

  router.get('/user', async (request, response) => {
    const { user_id } = await requireSession(context, request.get('Authorization'))
    response.json(describeUser(await readAccount(context.db, user_id)))
  })

  router.post('/logout', async (request, response) => {
    const holder = await requireSession(context, request.get('Authorization'))
    const query = request.query['scope'] ?? 'global'
    const given = typeof query === 'string' ? query : 'list'
    const scope = SIGN_OUT_SCOPES.find((known) => known === given)
    if (scope === undefined) {
      throw new AuthError(400, 'validation_failed', `Unsupported logout scope "${given}"`)
    }
    await signOut(context, holder, scope)
    response.status(204).end()
  })

  router.use(() => {
    throw new AuthError(404, 'not_found', 'Not found')
  })
  router.use(answerAuthErrors(context.logger))
  return router
}

async function grantSession(context: AuthContext, request: Request) {
  switch (request.query['grant_type']) {
    case 'password': {
      const body = readBody(request, passwordGrantBody)
      requireEmail(body, SIGN_IN_TEXTS)
      return await signInWithPassword(context, { ...body, ip: clientAddress(request) })
    }
    case 'refresh_token': {
      const { refresh_token } = readBody(request, refreshGrantBody)
      return await refreshSession(context, refresh_token)
    }
    default:
      throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
  }
}

const SIGN_UP_TEXTS = {
  both: 'Only an email address or phone number should be provided on signup.',
  phone: () => new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled'),
  neither: () => new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
}
const SIGN_IN_TEXTS = {
  both: 'Only an email address or phone number should be provided on login.',
  phone: () => new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled'),
  neither: () => new AuthError(400, 'validation_failed', 'missing email or phone'),
}

function requireEmail(body: { email: string; phone: string }, texts: typeof SIGN_UP_TEXTS): void {
  if (body.email !== '' && body.phone !== '') throw new AuthError(400, 'validation_failed', texts.both)
  if (body.phone !== '') throw texts.phone()
  if (body.email === '') throw texts.neither()
}

/** Express applies `trust proxy`; a zone or a forged header that is no address must not reach an inet column. */
function clientAddress(request: Request): string {
  const address = (request.ip ?? '').replace(/%.*$/, '')
  return isIP(address) === 0 ? '::' : address
}
