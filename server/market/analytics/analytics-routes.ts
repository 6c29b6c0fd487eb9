import { analyticsQuerySchema, analyticsSchema } from '#core/contract/market/analytics.ts'
import { agentFiguresSchema, agentsQuerySchema } from '#core/contract/market/agent-figures.ts'
import {
  deliveriesQuerySchema,
  deliveryReportSchema,
  exceptionsSchema,
} from '#core/contract/market/delivery-figures.ts'
import { route } from '../../http/route.ts'
import { showAnalytics } from './show-analytics.ts'
import { showAgents } from './show-agents.ts'
import { listExceptions, showDeliveries } from './show-deliveries.ts'
import { writeAnalytics } from './write-analytics.ts'

export const analyticsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/analytics',
    who: 'user',
    may: 'figures',
    mayLag: true,
    summary: 'Count your leads of a period, with prices and results',
    description:
      'A period is `days` up to today, or `from` and `to` with both dates included, in the time zone of the account.',
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
    may: 'figures',
    mayLag: true,
    isDownload: true,
    summary: 'Download the same figures as a CSV file: in total, and by day, state, disposition and hour',
    query: analyticsQuerySchema,
    answers: { 200: null },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      type: 'text/csv; charset=utf-8',
      headers: { 'Content-Disposition': 'attachment; filename="analytics.csv"' },
      pieces: writeAnalytics(await showAnalytics(context, caller, query)),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/analytics/deliveries',
    who: 'user',
    may: 'figures',
    mayLag: true,
    summary: 'Count the deliveries of your leads of a period, by webhook and by state',
    description:
      'It counts the deliveries of the leads in `GET /api/v1/analytics` for the same period, which here has at most 92 days. A delivery that was sent again counts as it is now.',
    query: deliveriesQuerySchema,
    answers: { 200: deliveryReportSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showDeliveries(context, caller, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/analytics/agents',
    who: 'user',
    may: 'figures',
    mayLag: true,
    summary: 'Count your leads of a period by person of the account',
    description:
      'It counts the leads of `GET /api/v1/analytics` for the same period. An agent of an account is refused (403).',
    query: agentsQuerySchema,
    answers: { 200: agentFiguresSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await showAgents(context, caller, query),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/analytics/exceptions',
    who: 'user',
    mayLag: true,
    // It names leads.
    may: 'leads',
    summary: 'List what needs attention: deliveries that finally failed, and undecided returns',
    description:
      'Failed deliveries are those that `GET /api/v1/analytics/deliveries` counts with the same query; returns are all undecided ones. The newest 200 of each are listed.',
    query: deliveriesQuerySchema,
    answers: { 200: exceptionsSchema },
    handle: async ({ context, caller, query }) => ({
      status: 200,
      json: await listExceptions(context, caller, query),
    }),
  }),
]
