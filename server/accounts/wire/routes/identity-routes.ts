import { Router } from 'express'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError } from '../auth-error.ts'
import { readCaller } from '#server/identity/caller.ts'
import { isUuid } from '#server/identity/is-uuid.ts'
import { beginOAuth } from '#server/accounts/providers/begin-oauth.ts'
import { unlinkIdentity } from '#server/accounts/providers/unlink-identity.ts'
import { requireSecondFactor } from '#server/accounts/guards/require-second-factor.ts'
import { requireSession } from '#server/accounts/guards/require-session.ts'
import { readWish } from '../read-wish.ts'
import { requireManualLinking } from '#server/accounts/guards/require-manual-linking.ts'

/** The bearer's own identities: adding one by a provider, removing one. */
export function identityRoutes(context: AuthContext): Router {
  const router = Router()
  router.get('/user/identities/authorize', async (request, response) => {
    const holder = await requireSession(context, request.get('Authorization'))
    const { user_id, session_id } = holder
    requireManualLinking(context)
    requireSecondFactor(holder)
    // Rate-limited, because each request stores a row.
    const { network } = readCaller(request)
    await context.accounts.rates.spend('token', `authorize ${network}`)
    const linking = { user_id, session_id, network }
    const { url } = await beginOAuth(context, { ...readWish(context, request), linking })
    if (request.query['skip_http_redirect'] === 'true') response.json({ url })
    else response.redirect(302, url)
  })

  router.delete('/user/identities/:identity_id', async (request, response) => {
    const holder = await requireSession(context, request.get('Authorization'))
    requireManualLinking(context)
    requireSecondFactor(holder)
    const { identity_id: id } = request.params
    if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID')
    await unlinkIdentity(context, holder, id, readCaller(request))
    response.json({})
  })
  return router
}
