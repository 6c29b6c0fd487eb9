import { accountChangeSchema, meSchema, ownPasswordSchema } from '#core/contract/accounts/account.ts'
import { readMe } from '#core/data/accounts/profiles.ts'
import { AppError } from '#core/errors.ts'
import { readAccount } from './data/accounts.ts'
import { renameAccount } from './rename-account.ts'
import { ignoreReadOnlyFields } from '#server/http/ignore-read-only-fields.ts'
import { route } from '#server/http/route.ts'

export const accountRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me',
    // A user who still owes the second factor must be able to see which account asks for it.
    who: 'user by any proof',
    may: 'self',
    summary: 'Return the signed-in account',
    answers: { 200: meSchema },
    handle: async ({ context, caller }) => {
      const me = await readMe(context.db, caller)
      if (me === undefined) throw new AppError('invalid_token', 'The account of this access token is gone.')
      return { status: 200, json: me }
    },
  }),
  route({
    method: 'patch',
    path: '/api/v1/me',
    who: 'user',
    may: 'self',
    summary: 'Change the name of the signed-in account',
    description: 'An empty name is refused (422).',
    takes: 'json',
    body: ignoreReadOnlyFields(accountChangeSchema, meSchema),
    answers: { 200: meSchema },
    handle: async ({ context, caller, body, from }) => ({
      status: 200,
      json: await renameAccount(context, caller, body.name, from),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/me/password',
    who: 'user',
    may: 'self',
    summary: 'Tell whether the account has a password',
    answers: { 200: ownPasswordSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: { is_set: (await readAccount(context.db, caller.user_id)).user.password_hash !== null },
    }),
  }),
]
