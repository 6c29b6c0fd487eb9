import {
  heldReturnSchema,
  returnDecisionSchema,
  returnStatusSchema,
} from '#core/contract/market/lead-return.ts'
import { fileLinkSchema } from '#core/contract/files/file-link.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listHeldReturns } from '#core/data/market/lead-returns.ts'
import { cutPage } from '#core/data/page.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { openEvidence } from '../open-evidence.ts'
import { approveRequest, denyRequest } from './decide-return.ts'

const returnQuerySchema = pageQuerySchema.extend({ status: returnStatusSchema.optional() })

/** Administrators decide whether a client gets money back for a lead. */
export const adminReturnRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/returns',
    who: 'admin',
    summary: 'List the requests of all clients to return leads, newest first',
    query: returnQuerySchema,
    answers: { 200: pageSchema(heldReturnSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const found = await listHeldReturns(context.db, query, page)
      const { rows, next_cursor } = cutPage(found, page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/evidence/:id/open',
    who: 'admin',
    needs: 'read',
    summary: 'Return a URL of a file that a client sent with a return, which works for an hour',
    description:
      'With `&download=<name>` the file is saved in place of shown. Each call is in the audit log, which the client can read.',
    answers: { 200: fileLinkSchema },
    handle: async ({ context, caller, from, id }) => ({
      status: 200,
      json: await openEvidence(context, { caller, from }, id),
    }),
  }),
  ...[
    {
      end: 'approve',
      decide: approveRequest,
      summary: 'Approve a return: the client gets the price back',
      description:
        'A return that is already decided, or a lead that the client no longer holds, is refused (409).',
    },
    {
      end: 'deny',
      decide: denyRequest,
      summary: 'Deny a return: the lead stays with its client',
      description: 'A return that is already decided is refused (409).',
    },
  ].map(({ end, decide, summary, description }) =>
    route({
      method: 'post',
      path: `/api/v1/admin/returns/:id/${end}`,
      who: 'admin',
      needs: 'money',
      summary,
      description,
      takes: 'json',
      body: returnDecisionSchema,
      answers: { 200: heldReturnSchema },
      handle: async ({ context, caller, from, id, body }) => ({
        status: 200,
        json: await decide(context, { caller, from }, id, body.note),
      }),
    }),
  ),
]
