import {
  adminLeadFilterSchema,
  adminLeadsSchema,
  adminLeadTotalsSchema,
  leadStorySchema,
} from '#core/contract/leads/admin-lead.ts'
import { listAdminLeads, totalAdminLeads } from '#core/data/leads/admin-leads.ts'
import { readLeadStory } from '#core/data/leads/lead-story.ts'
import { cutPage, writeCursor } from '#core/data/page.ts'
import { AppError } from '#core/errors.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

const pagedFilterSchema = adminLeadFilterSchema.extend(pageQuerySchema.shape)

/** Routes by which administrators read about leads: all of them, and one from its receipt to its money. */
export const leadStoryRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/leads',
    who: 'admin',
    mayLag: true,
    summary: 'List the leads of all clients, newest first',
    description:
      '`search` matches name, email or phone. `outcome` and `reason` are those of the last decision; `client` is who has the lead or gave it back. A page of a rare state, type, status, source, outcome or reason looks through at most 100,000 leads: `searched_to` says how far, and `next_cursor` goes on.',
    query: pagedFilterSchema,
    answers: { 200: adminLeadsSchema },
    handle: async ({ context, caller, query }) => {
      const page = readPage(query)
      const { rows: found, end } = await listAdminLeads(context.db, caller, query, page)
      const { rows, next_cursor } = cutPage(found, page.limit)
      const data = rows.map(({ position: _position, ...lead }) => lead)
      const isCut = next_cursor === null && end !== undefined
      return {
        status: 200,
        json: isCut
          ? { data, next_cursor: writeCursor(end), searched_to: new Date(end.at).toISOString() }
          : { data, next_cursor, searched_to: null },
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/leads/totals',
    who: 'admin',
    mayLag: true,
    summary: 'Count the leads of a filter, and add up their prices',
    description:
      'Above 100,000 leads only the newest 100,000 count, of a rare state, type, status, source, outcome or reason those among the newest 200,000; then `has_more` is true.',
    query: adminLeadFilterSchema,
    answers: { 200: adminLeadTotalsSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await totalAdminLeads(context.db, caller, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/leads/:id',
    who: 'admin',
    summary: 'Return how a lead came, who had it, and every cent that moved for it',
    description:
      'Its answers, consent, timeline and attempts are in `GET /api/v1/leads/:id`; why it went where it went in `GET /api/v1/admin/leads/:id/decision`.',
    answers: { 200: leadStorySchema },
    handle: async ({ context, id }) => {
      const story = await readLeadStory(context.db, id)
      if (story === undefined) throw new AppError('not_found', 'Lead not found')
      return { status: 200, json: story }
    },
  }),
]
