import { Router } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { validationFailed } from '../auth-error.ts'
import { readCaller } from '#server/identity/caller.ts'
import { readAccount } from '#server/accounts/people/data/accounts.ts'
import { describeUser } from '../describe-user.ts'
import { AUDIENCE } from '#server/identity/access-token.ts'
import { readChannel } from '#server/accounts/sms/phone-code.ts'
import { readEmail, readPhone } from '../read-address.ts'
import { metadataSchema, readBody, receiveBody } from '../read-body.ts'
import { pkceMembers, readPkce } from '#server/accounts/sessions/read-pkce.ts'
import { readRedirect } from '../read-redirect.ts'
import { requireSession } from '#server/accounts/guards/require-session.ts'
import { SIGN_OUT_SCOPES, signOut } from '#server/accounts/sessions/sign-out.ts'
import { updateOwnAccount } from '#server/accounts/people/update-own-account.ts'

const ownChangesBody = z.object({
  email: z.string().default(''),
  phone: z.string().default(''),
  password: z.string().default(''),
  nonce: z.string().default(''),
  current_password: z.string().default(''),
  channel: z.string().default(''),
  data: metadataSchema.optional(),
  app_metadata: metadataSchema.optional(),
  ...pkceMembers,
})

/** The bearer's own account. */
export function userRoutes(context: AuthContext): Router {
  const router = Router()
  router.get('/user', async (request, response) => {
    const { user_id } = await requireSession(context, request.get('Authorization'))
    // All our tokens have one audience; a program may name the one it expects.
    const audience = request.get('X-JWT-AUD') ?? ''
    if (audience !== '' && audience !== AUDIENCE)
      throw validationFailed("Token audience doesn't match request audience")
    response.json(describeUser(await readAccount(context.db, user_id)))
  })

  router.put('/user', receiveBody, async (request, response) => {
    const caller = readCaller(request)
    const holder = await requireSession(context, request.get('Authorization'))
    await context.accounts.rates.spend('otp', caller.network)
    const body = readBody(request, ownChangesBody)
    const changes = {
      ...body,
      email: body.email === '' ? '' : readEmail(body.email),
      phone: body.phone === '' ? '' : readPhone(body.phone),
      channel: readChannel(body.channel),
    }
    const onward = { redirectTo: readRedirect(context, request), pkce: readPkce(body) }
    response.json(describeUser(await updateOwnAccount(context, holder, changes, onward, caller)))
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
