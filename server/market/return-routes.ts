import {
  leadReturnSchema,
  returnRequestSchema,
  returnStatusSchema,
} from '#core/contract/market/lead-return.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listReturns } from '#core/data/market/lead-returns.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { openOwnEvidence } from './open-evidence.ts'
import { requestReturn, withdrawReturn } from './request-return.ts'

const returnQuerySchema = pageQuerySchema.extend({ status: returnStatusSchema.optional() })

/** Calls by which a client returns leads. */
export const returnRoutes = [
  route({
    method: 'post',
    path: '/api/v1/leads/:id/return',
    who: 'user',
    may: 'leads',
    summary: 'Ask to return a lead and get its price back',
    description:
      'A lead can be returned once, within 7 days of its assignment; otherwise the call is refused (409). Some reasons need a note. `evidence` names up to five files that you stored in the bucket `evidence`, under your user id and the id of the lead.',
    takes: 'json',
    body: returnRequestSchema,
    answers: { 201: leadReturnSchema },
    handle: async ({ context, caller, id, body }) => ({
      status: 201,
      json: await requestReturn(context, caller, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/leads/:id/return/withdraw',
    who: 'user',
    may: 'leads',
    summary: 'Withdraw a request to return a lead',
    description: 'A request that is already decided is refused (409).',
    answers: { 200: leadReturnSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await withdrawReturn(context, caller, id),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/returns',
    who: 'user',
    may: 'leads',
    summary: 'List your requests to return leads, newest first',
    query: returnQuerySchema,
    answers: { 200: pageSchema(leadReturnSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const found = await listReturns(context.db, { ...caller, role: 'client' }, query.status, page)
      const { rows, next_cursor } = cutPage(found, page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/evidence/:id/open',
    who: 'user',
    may: 'leads',
    summary: 'Return a URL of a file that you sent with a return, which works for an hour',
    description:
      'With `&download=<name>` the file is saved in place of shown. A file that was not sent with a return is a 404 here; the storage service opens it.',
    answers: { 200: fileLinkSchema },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: await openOwnEvidence(context, caller, id),
    }),
  }),
]
