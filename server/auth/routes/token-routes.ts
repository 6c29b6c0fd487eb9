import { Router, type Request } from 'express'
import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller, type Caller } from '../caller.ts'
import { describeSession, type LiveSession } from '../describe-session.ts'
import { readBody, receiveBody } from '../read-body.ts'
import { refreshSession } from '../use-cases/refresh-session.ts'
import { signInWithPassword } from '../use-cases/sign-in-with-password.ts'

/** One way to a session: reads its own body. What it returns beside the session is shown with it. */
type Grant = (
  context: AuthContext,
  request: Request,
  caller: Caller,
) => Promise<LiveSession & { extra?: object }>

const GRANTS: Readonly<Record<string, Grant>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
}

export function tokenRoutes(context: AuthContext): Router {
  const router = Router()
  router.post('/token', receiveBody, async (request, response) => {
    const name = request.query['grant_type']
    const grant = typeof name === 'string' && Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined
    if (grant === undefined) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
    const caller = readCaller(request)
    await context.rates.spend('token', caller.ip)
    const { extra, ...live } = await grant(context, request, caller)
    response.json({ ...(await describeSession(context, live)), ...extra })
  })
  return router
}

const passwordBody = z.object({
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
})

async function grantByPassword(context: AuthContext, request: Request, caller: Caller): Promise<LiveSession> {
  const body = readBody(request, passwordBody)
  if (body.email !== '' && body.phone !== '')
    throw validationFailed('Only an email address or phone number should be provided on login.')
  if (body.phone !== '') throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (body.email === '') throw validationFailed('missing email or phone')
  return await signInWithPassword(context, body, caller)
}

const refreshBody = z.object({ refresh_token: z.string().default('') })

async function grantByRefreshToken(
  context: AuthContext,
  request: Request,
  caller: Caller,
): Promise<LiveSession> {
  return await refreshSession(context, readBody(request, refreshBody).refresh_token, caller)
}
