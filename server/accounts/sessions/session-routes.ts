import { ownSessionSchema } from '#core/contract/accounts/session.ts'
import { pageSchema } from '#core/contract/page.ts'
import { AppError } from '#core/errors.ts'
import { listOwnSessions } from './list-own-sessions.ts'
import { revokeOwnSession } from './revoke-own-session.ts'
import { route } from '#server/http/route.ts'

/** The sessions of the signed-in user. */
export const sessionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me/sessions',
    who: 'user',
    may: 'self',
    summary: 'List the sessions of the account, last used first',
    answers: { 200: pageSchema(ownSessionSchema) },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: { data: await listOwnSessions(context, caller), next_cursor: null },
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/me/sessions/:id',
    who: 'user',
    may: 'self',
    summary: 'End one of the account’s sessions at once',
    answers: { 204: null },
    handle: async ({ context, caller, id, from }) => {
      if (!(await revokeOwnSession(context, caller, id, from)))
        throw new AppError('not_found', 'Session not found')
      return { status: 204 }
    },
  }),
]
