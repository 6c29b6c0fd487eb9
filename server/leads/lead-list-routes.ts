import {
  leadFilterSchema,
  leadQuerySchema,
  markedReadSchema,
  markReadSchema,
  neighboursSchema,
} from '#core/contract/leads/lead-query.ts'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { pageSchema } from '#core/contract/page.ts'
import { readLeadCursor, writeLeadCursor } from '#core/data/leads/lists/lead-order.ts'
import { findNeighbours } from '#core/data/leads/lists/find-neighbours.ts'
import { listLeads } from '#core/data/leads/lists/list-leads.ts'
import { markRead } from '#core/data/market/lead-assignments.ts'
import { AppError } from '#core/errors.ts'
import { route } from '../http/route.ts'
import { exportLeads } from './export-leads.ts'

/** Lists of leads: filtered, sorted and exported, and the neighbours of a lead in them. */
export const leadListRoutes = [
  route({
    method: 'get',
    path: '/api/v1/leads',
    who: 'user',
    may: 'leads',
    mayLag: true,
    summary: 'List your leads, newest first unless `sort` says otherwise',
    description: 'Your leads are those that are assigned to you or owned by you.',
    query: leadQuerySchema,
    answers: { 200: pageSchema(leadSummarySchema) },
    handle: async ({ context, caller, query }) => {
      const { cursor, limit, sort } = query
      const after = cursor === undefined ? undefined : readLeadCursor(sort, cursor)
      if (cursor !== undefined && after === undefined) {
        const errors = [
          { path: 'cursor', message: 'Use the next_cursor of the page before, sorted as it was' },
        ]
        throw new AppError('validation_failed', 'The cursor is not valid.', { errors })
      }
      const found = await listLeads(context.db, caller, query, { limit, after })
      const data = found.slice(0, limit).map(({ position: _position, ...lead }) => lead)
      const last = found.length > limit ? found[limit - 1] : undefined
      const next_cursor =
        last === undefined ? null : writeLeadCursor(sort, { at: last.position, id: last.id })
      return { status: 200, json: { data, next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/leads.csv',
    who: 'user',
    may: 'leads',
    mayLag: true,
    isDownload: true,
    summary: 'Download all leads that these filters select as a CSV file',
    query: leadFilterSchema,
    answers: { 200: null },
    handle: async ({ context, caller, from, query }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="leads.csv"' },
      pieces: await exportLeads(context, { caller, from }, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/leads/:id/neighbours',
    who: 'user',
    may: 'leads',
    summary: 'Return the leads before and after one, in a list with these filters',
    query: leadFilterSchema,
    answers: { 200: neighboursSchema },
    handle: async ({ context, caller, id, query }) => {
      const found = await findNeighbours(context.db, caller, query, id)
      if (found === undefined) throw new AppError('not_found', 'Lead not found')
      return { status: 200, json: found }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/leads/mark-read',
    who: 'user',
    may: 'leads',
    summary: 'Mark up to 100 of your leads as read without opening them',
    takes: 'json',
    body: markReadSchema,
    answers: { 200: markedReadSchema },
    handle: async ({ context, caller, body }) => ({
      status: 200,
      json: { marked: await markRead(context.db, caller, body.lead_ids) },
    }),
  }),
]
