import { Router } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { validationFailed } from '../auth-error.ts'
import { readCaller } from '../caller.ts'
import { readAccount } from '../data/accounts.ts'
import { describeUser } from '../describe-user.ts'
import { requireSession } from '../require-session.ts'
import { SIGN_OUT_SCOPES, signOut } from '../use-cases/sign-out.ts'

/** The bearer's own account. */
export function userRoutes(context: AuthContext): Router {
  const router = Router()
  router.get('/user', async (request, response) => {
    const { user_id } = await requireSession(context, request.get('Authorization'))
    response.json(describeUser(await readAccount(context.db, user_id)))
  })

  router.post('/logout', async (request, response) => {
    const holder = await requireSession(context, request.get('Authorization'))
    const query = request.query['scope'] ?? 'global'
    const given = typeof query === 'string' ? query : 'list'
    const scope = SIGN_OUT_SCOPES.find((known) => known === given)
    if (scope === undefined) throw validationFailed(`Unsupported logout scope "${given}"`)
    await signOut(context, holder, scope, readCaller(request))
    response.status(204).end()
  })
  return router
}
