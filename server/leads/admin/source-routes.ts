import {
  createdSourceKeySchema,
  createdSourceSchema,
  MOST_SOURCE_KEYS,
  newSourceSchema,
  sourceChangeSchema,
  sourceSchema,
  sourceStopSchema,
} from '#core/contract/leads/source.ts'
import { listSources } from '#core/data/leads/sources.ts'
import { changeSource } from './change-source.ts'
import { createSource } from './create-source.ts'
import { addKey } from './add-key.ts'
import { revokeAllKeys, revokeKey } from './revoke-keys.ts'
import { stopSource } from './stop-source.ts'
import { pageSchema } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

export const sourceRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/sources',
    who: 'admin',
    summary: 'Every source, newest first',
    answers: { 200: pageSchema(sourceSchema) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: await listSources(context.db), next_cursor: null },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources',
    who: 'admin',
    summary:
      'Create a source; its API key is shown this once, and to who repeats it under its Idempotency-Key',
    takes: 'json',
    takesKey: true,
    body: newSourceSchema,
    answers: { 201: createdSourceSchema },
    handle: async ({ context, caller, from, body, idempotencyKey }) => ({
      status: 201,
      json: await createSource(context, { caller, from }, { source: body, idempotencyKey }),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/sources/:id',
    who: 'admin',
    summary:
      'Switch a source’s test mode: while it is on, whatever the source sends is a test and is sold to nobody',
    takes: 'json',
    body: sourceChangeSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await changeSource(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/sources/:id',
    who: 'admin',
    summary: 'Revoke every API key of a source; leads that came before go on',
    description:
      'Imports into it and links to its posting specification end as well. A key that is added later opens it again; to withdraw its unsold leads, stop it.',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokeAllKeys(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/keys',
    who: 'admin',
    summary:
      'Add an API key to a source; it is shown this once, and to who repeats it under its Idempotency-Key',
    description: `The keys that it has hold until they are revoked, so that a sender can change over. Leads belong to the source: an external_id or Idempotency-Key that came under one key is a duplicate under any other. 409: the source was stopped, or has ${MOST_SOURCE_KEYS} keys that hold.`,
    takesKey: true,
    answers: { 201: createdSourceKeySchema },
    handle: async ({ context, caller, from, id, idempotencyKey }) => ({
      status: 201,
      json: await addKey(context, { caller, from }, { sourceId: id, idempotencyKey }),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/source-keys/:id',
    who: 'admin',
    summary: 'Revoke one API key of a source; its other keys hold, and leads that came before go on',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokeKey(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/sources/:id/stop',
    who: 'admin',
    summary: 'Stop a source for good: its keys end, and its unsold leads are withdrawn',
    description:
      'From the answer on none of its leads is sold, whether it is held, waits to be decided about or is given back later; each becomes `rejected` with the reason `source_stopped`. Leads that were sold before stay sold and are delivered. The reason goes to the audit log. Once more changes nothing.',
    takes: 'json',
    body: sourceStopSchema,
    answers: { 200: sourceSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await stopSource(context, { caller, from }, id, body.reason),
    }),
  }),
]
