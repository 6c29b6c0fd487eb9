import {
  clientAccountChangeSchema,
  clientAccountConflictSchema,
  clientAccountSchema,
  unsubscribedSchema,
  unsubscribeQuerySchema,
} from '#core/contract/market/client-account.ts'
import { ignoreReadOnlyFields } from '../http/ignore-read-only-fields.ts'
import { route } from '../http/route.ts'
import { changeAccount } from './change-account.ts'
import { forgetMethod } from './payments/forget-method.ts'
import { showOwnAccount } from './show-account.ts'
import { unsubscribe } from './unsubscribe.ts'

export const clientAccountRoutes = [
  route({
    method: 'get',
    path: '/api/v1/account',
    who: 'user',
    may: 'figures',
    summary: 'Return your client account: business, licence, thresholds and notices',
    answers: { 200: clientAccountSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: await showOwnAccount(context, caller),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/account',
    who: 'user',
    may: 'money',
    summary: 'Change your client account',
    description:
      'The role finance changes the auto-recharge and the threshold of a low balance only (403). Send the `version` that you read. If the account was changed since, the answer is 409 `version_conflict` with both values.',
    takes: 'json',
    body: ignoreReadOnlyFields(clientAccountChangeSchema, clientAccountSchema),
    answers: { 200: clientAccountSchema, 409: clientAccountConflictSchema },
    handle: async ({ context, caller, body }) => await changeAccount(context, caller, body),
  }),
  route({
    method: 'post',
    path: '/api/v1/unsubscribe',
    who: 'public',
    summary: 'End one kind of mail by the link in it, without signing in',
    description:
      'Mail programs call it by the header `List-Unsubscribe` (RFC 8058); its body is not read. A repeat changes nothing.',
    query: unsubscribeQuerySchema,
    answers: { 200: unsubscribedSchema },
    handle: async ({ context, query }) => ({
      status: 200,
      json: { notice: await unsubscribe(context, query.token) },
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/account/payment-method',
    who: 'user',
    may: 'money',
    summary: 'Remove the stored payment method; this switches auto-recharge off',
    answers: { 200: clientAccountSchema },
    handle: async ({ context, caller }) => ({
      status: 200,
      json: await forgetMethod(context, caller.user_id),
    }),
  }),
]
