import { createdSourceSchema, newSourceSchema, sourceSchema } from '#core/contract/leads/source.ts'
import { listSources, revokeSource } from '#core/data/leads/sources.ts'
import { AppError } from '#core/errors.ts'
import { createSource } from './create-source.ts'
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
    summary: 'Create a source; its API key is shown this once',
    takes: 'json',
    body: newSourceSchema,
    answers: { 201: createdSourceSchema },
    handle: async ({ context, caller, body }) => ({
      status: 201,
      json: await createSource(context, caller, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/sources/:id',
    who: 'admin',
    summary: 'Revoke a source’s API key',
    answers: { 204: null },
    handle: async ({ context, id }) => {
      if (!(await revokeSource(context.db, id))) throw new AppError('not_found', 'Source not found')
      context.sources.forget()
      return { status: 204 }
    },
  }),
]
