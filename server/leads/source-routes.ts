import {
  createdSourceSchema,
  newSourceSchema,
  sourceChangeSchema,
  sourceSchema,
} from '#core/contract/leads/source.ts'
import { listSources } from '#core/data/leads/sources.ts'
import { changeSource } from './change-source.ts'
import { createSource } from './create-source.ts'
import { revokeKey } from './revoke-key.ts'
import { pageSchema } from '../http/read-page.ts'
import { route } from '../http/route.ts'

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
    summary: 'Revoke a source’s API key',
    answers: { 204: null },
    handle: async ({ context, caller, from, id }) => {
      await revokeKey(context, { caller, from }, id)
      return { status: 204 }
    },
  }),
]
