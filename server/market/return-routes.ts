import {
  leadReturnSchema,
  returnRequestSchema,
  returnStatusSchema,
} from '#core/contract/market/lead-return.ts'
import { listReturns } from '#core/data/market/lead-returns.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, pageSchema, readPage } from '../http/read-page.ts'
import { route } from '../http/route.ts'
import { requestReturn, withdrawReturn } from './request-return.ts'

const returnQuerySchema = pageQuerySchema.extend({ status: returnStatusSchema.optional() })

/** What a client does with leads that he returns. */
export const returnRoutes = [
  route({
    method: 'post',
    path: '/api/v1/leads/:id/return',
    who: 'user',
    summary: 'Ask to return a lead for what it cost, once, within 7 days of its assignment',
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
    summary: 'Withdraw the request to return a lead, while nobody has decided it',
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
    summary: 'The caller’s requests to return leads, newest first',
    query: returnQuerySchema,
    answers: { 200: pageSchema(leadReturnSchema) },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const found = await listReturns(context.db, caller.user_id, query.status, page)
      const { rows, next_cursor } = cutPage(found, page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
]
