import { Router } from 'express'
import { allowOrigins } from './allow-origins.ts'
import { answerAuthErrors } from './answer-auth-error.ts'
import { answerInTime, leaveTime } from './answer-in-time.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from './auth-error.ts'
import { adminRoutes } from './routes/admin-routes.ts'
import { identityRoutes } from './routes/identity-routes.ts'
import { providerRoutes } from './routes/provider-routes.ts'
import { factorRoutes } from './routes/factor-routes.ts'
import { codeRoutes } from './routes/code-routes.ts'
import { publicRoutes } from './routes/public-routes.ts'
import { signUpRoutes } from './routes/sign-up-routes.ts'
import { ssoRoutes } from './routes/sso-routes.ts'
import { tokenRoutes } from './routes/token-routes.ts'
import { userRoutes } from './routes/user-routes.ts'
import { verifyRoutes } from './routes/verify-routes.ts'

/**
 * The authentication service. Mount it at `AUTH_MOUNT_PATH`, before any middleware that reads bodies. At the
 * root it passes unknown paths on to the rest of the server.
 */
export function createAuthRouter(context: AuthContext): Router {
  const router = Router()
  router.use(allowOrigins)
  router.use(answerInTime)
  router.use(publicRoutes(context))
  // All further answers are about one person, so no cache may keep them.
  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  router.use(signUpRoutes(context))
  router.use(tokenRoutes(context))
  router.use(codeRoutes(context))
  router.use(verifyRoutes(context))
  router.use(userRoutes(context))
  router.use(adminRoutes(context))
  router.use(providerRoutes(context))
  router.use(factorRoutes(context))
  router.use(identityRoutes(context))
  router.use(ssoRoutes(context))
  if (context.config.auth.mountPath === '') router.use(leaveTime)
  else {
    router.use(() => {
      throw new AuthError(404, 'not_found', 'Not found')
    })
  }
  router.use(answerAuthErrors(context.logger))
  return router
}
