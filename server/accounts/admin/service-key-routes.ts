import { personChangeSchema } from '#core/contract/accounts/admin-people.ts'
import {
  madeServiceKeySchema,
  newServiceKeySchema,
  serviceKeySchema,
} from '#core/contract/accounts/service-key.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listServiceKeys } from '#core/data/accounts/service-keys.ts'
import { route } from '#server/http/route.ts'
import { endServiceKey } from './end-service-key.ts'
import { makeServiceKey } from './make-service-key.ts'

/** Keys of programs that administer accounts, for owners. `leadwire service-keys` does the same for operators. */
export const serviceKeyRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/service-keys',
    who: 'admin',
    needs: 'people',
    summary: 'List the keys of programs that administer accounts',
    description: 'Newest first, at most a few dozen. The last one stands for all keys that are not listed.',
    answers: { 200: pageSchema(serviceKeySchema) },
    handle: async ({ context: { db } }) => ({
      status: 200,
      json: { data: await listServiceKeys(db), next_cursor: null },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/service-keys',
    who: 'admin',
    needs: 'people',
    summary: 'Make a key for a program that administers accounts',
    description:
      'With it the program creates, changes and deletes every account, without a password or second factor. The answer is the only one with the key.',
    takes: 'json',
    body: newServiceKeySchema,
    answers: { 201: madeServiceKeySchema },
    handle: async ({ context: { db, config, identity }, caller, from, body: { reason, ...wish } }) => ({
      status: 201,
      json: await makeServiceKey({ db, config, keys: identity.keys }, { caller, from, reason }, wish),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/service-keys/:id/revoke',
    who: 'admin',
    needs: 'people',
    summary: 'End a key of a program for good',
    description: 'The next call with it is refused.',
    takes: 'json',
    body: personChangeSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await endServiceKey(context, { caller, from }, id, body.reason)
      return { status: 204 }
    },
  }),
]
