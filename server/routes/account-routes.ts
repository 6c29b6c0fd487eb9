import { meSchema } from '#core/contract/account.ts'
import { readMe } from '#core/data/profiles.ts'
import { AppError } from '#core/errors.ts'
import { route } from './route.ts'

export const accountRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me',
    who: 'user',
    summary: 'The signed-in account',
    answers: { 200: meSchema },
    handle: async ({ context, caller }) => {
      const me = await readMe(context.db, caller.user_id)
      if (me === undefined) throw new AppError('invalid_token', 'The account of this access token is gone.')
      return { status: 200, json: me }
    },
  }),
]
