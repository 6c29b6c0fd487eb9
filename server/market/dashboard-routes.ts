import { dashboardSchema } from '#core/contract/market/dashboard.ts'
import { route } from '../http/route.ts'
import { showDashboard } from './show-dashboard.ts'

export const dashboardRoutes = [
  route({
    method: 'get',
    path: '/api/v1/dashboard',
    who: 'user',
    may: 'figures',
    summary: 'Return your leads of today and of the last seven days, and the setup steps of a new client',
    answers: { 200: dashboardSchema },
    handle: async ({ context, caller }) => ({ status: 200, json: await showDashboard(context, caller) }),
  }),
]
