import { decisionQuerySchema, decisionSchema } from '#core/contract/market/decision.ts'
import { readDecision } from '#core/use-cases/market/read-decision.ts'
import { AppError } from '#core/errors.ts'
import { route } from '../../http/route.ts'

export const adminDecisionRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/leads/:id/decision',
    who: 'admin',
    summary: 'Return who got a lead of the market, and why the other orders did not',
    description: 'A lead that was never decided is answered with 404.',
    query: decisionQuerySchema,
    answers: { 200: decisionSchema },
    handle: async ({ context, id, query }) => {
      const decision = await readDecision(context.db, id, query.order_id)
      if (decision === undefined) throw new AppError('not_found', 'Nothing was decided about this lead')
      const { duplicateDays, resaleDays } = context.market.windows
      const windows = { duplicate_days: duplicateDays, resale_days: resaleDays }
      return { status: 200, json: { ...decision, windows } }
    },
  }),
]
