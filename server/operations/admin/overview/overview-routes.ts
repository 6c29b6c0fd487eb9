import { needsSchema } from '#core/contract/operations/needs.ts'
import { overviewSchema } from '#core/contract/operations/overview.ts'
import { route } from '../../../http/route.ts'
import { showNeeds } from './show-needs.ts'
import { showOverview } from './show-overview.ts'

/** Routes for what administrators see first. */
export const overviewRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/overview',
    who: 'admin',
    summary:
      'Show what the business did today, beside the same hours of yesterday, and how its deliveries do',
    description:
      'Past hours come from sums that a worker keeps. While Redis is away, `health.workers` is null and the rest is complete.',
    answers: { 200: overviewSchema },
    handle: async ({ context }) => ({ status: 200, json: await showOverview(context) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/needs',
    who: 'admin',
    summary: 'Count what waits for an administrator, and list the first of each kind',
    description:
      'Approvals, payments, returns, failing endpoints, clients out of funds, unsold leads by reason, messages, and payment differences. It lists up to 5 of each, those that have waited longest first; of unsold leads the commonest reasons.',
    answers: { 200: needsSchema },
    handle: async ({ context }) => ({ status: 200, json: await showNeeds(context.db) }),
  }),
]
