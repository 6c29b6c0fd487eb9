import { analyticsQuerySchema, analyticsSchema } from '#core/contract/market/analytics.ts'
import { route } from '../../http/route.ts'
import { showAnalytics } from './show-analytics.ts'
import { writeAnalytics } from './write-analytics.ts'

export const analyticsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/analytics',
    who: 'user',
    summary: 'The caller’s leads of a period: how many, at what price, and what became of them',
    description:
      'A period is `days` until today, or `from` and `to` with both dates included, in the time zone of the account.',
    query: analyticsQuerySchema,
    answers: { 200: analyticsSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showAnalytics(context, caller, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/analytics.csv',
    who: 'user',
    summary: 'The same figures as a CSV file: the period whole, by day, state, disposition and hour',
    query: analyticsQuerySchema,
    answers: { 200: null },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="analytics.csv"' },
      pieces: writeAnalytics(await showAnalytics(context, caller, query)),
    }),
  }),
]
