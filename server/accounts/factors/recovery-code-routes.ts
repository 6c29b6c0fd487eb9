import { recoveryCodesLeftSchema, recoveryCodesSchema } from '#core/contract/accounts/recovery-codes.ts'
import { route } from '#server/http/route.ts'
import { countRecoveryCodes } from './data/recovery-codes.ts'
import { makeRecoveryCodes } from './make-recovery-codes.ts'

/** Recovery codes let in an owner who has lost the second factor. */
export const recoveryCodeRoutes = [
  route({
    method: 'get',
    path: '/api/v1/me/recovery-codes',
    who: 'user',
    may: 'self',
    summary: 'Count the recovery codes that the account has left',
    answers: { 200: recoveryCodesLeftSchema },
    handle: async ({ context, caller }) => {
      const { left, created_at } = await countRecoveryCodes(context.db, caller.user_id)
      return { status: 200, json: { left, created_at: created_at?.toISOString() ?? null } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/me/recovery-codes',
    who: 'user',
    may: 'self',
    summary: 'Create ten recovery codes in place of all earlier ones',
    description:
      'They are shown only in this answer. The session must be confirmed with a second factor; otherwise the answer is 403 `mfa_required`.',
    answers: { 201: recoveryCodesSchema },
    handle: async ({ context, caller, from }) => ({
      status: 201,
      json: { codes: await makeRecoveryCodes(context, caller, from) },
    }),
  }),
]
