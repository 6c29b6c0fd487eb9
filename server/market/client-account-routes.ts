import {
  clientAccountChangeSchema,
  clientAccountConflictSchema,
  clientAccountSchema,
} from '#core/contract/market/client-account.ts'
import { ignoreReadOnlyFields } from '../http/ignore-read-only-fields.ts'
import { route } from '../http/route.ts'
import { changeAccount } from './change-account.ts'
import { forgetMethod } from './payments/forget-method.ts'
import { showAccount } from './show-account.ts'

export const clientAccountRoutes = [
  route({
    method: 'get',
    path: '/api/v1/account',
    who: 'user',
    summary: 'The caller’s client account: business, licence, thresholds, notices',
    answers: { 200: clientAccountSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: await showAccount(context, caller.user_id),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/account',
    who: 'user',
    summary: 'Change the caller’s client account',
    description: 'A change of an earlier version is answered with both values (409 `version_conflict`).',
    takes: 'json',
    body: ignoreReadOnlyFields(clientAccountChangeSchema, clientAccountSchema),
    answers: { 200: clientAccountSchema, 409: clientAccountConflictSchema },
    handle: async ({ context, caller, body }) => await changeAccount(context, caller.user_id, body),
  }),
  route({
    method: 'delete',
    path: '/api/v1/account/payment-method',
    who: 'user',
    summary: 'Forget the way of paying that is kept; the auto-recharge is off then',
    answers: { 200: clientAccountSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: await forgetMethod(context, caller.user_id),
    }),
  }),
]
