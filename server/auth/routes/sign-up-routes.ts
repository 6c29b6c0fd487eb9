import { Router } from 'express'
import { z } from 'zod'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import { readCaller } from '../caller.ts'
import { describeSession } from '../describe-session.ts'
import { readBody, receiveBody } from '../read-body.ts'
import { signUp } from '../use-cases/sign-up.ts'

const signUpBody = z.object({
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
  data: z.record(z.string(), z.unknown()).default({}),
})

export function signUpRoutes(context: AuthContext): Router {
  const router = Router()
  router.post('/signup', receiveBody, async (request, response) => {
    const body = readBody(request, signUpBody)
    if (body.email !== '' && body.phone !== '')
      throw validationFailed('Only an email address or phone number should be provided on signup.')
    if (body.phone !== '') throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled')
    if (body.email === '')
      throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
    if (body.password === '') throw validationFailed('Signup requires a valid password')
    response.json(await describeSession(context, await signUp(context, body, readCaller(request))))
  })
  return router
}
