import { z } from 'zod'
import { lateDecisionSchema, unclearLeadSchema } from '#core/contract/market/late-lead.ts'
import { listUnclear } from '#core/data/market/late/unclear-leads.ts'
import { route } from '../../http/route.ts'
import { decideLateLead } from './decide-late-lead.ts'

const SHOWN = 200

/** Late leads whose times cannot be trusted, so that a person decides. */
export const lateLeadRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/late-leads',
    who: 'admin',
    summary: 'List the newest 200 late leads that nobody has decided about',
    description: 'Their times are in no possible order, too far apart, or the clock jumped meanwhile.',
    answers: { 200: z.object({ data: z.array(unclearLeadSchema) }) },
    handle: async ({ context }) => ({ status: 200, json: { data: await listUnclear(context.db, SHOWN) } }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/late-leads/:id/decide',
    who: 'admin',
    needs: 'money',
    summary: 'Credit a late lead that is unclear, or dismiss it',
    description:
      '`:id` is that of the assignment. The credit is written within seconds, within the limit of the day. A second decision is a 409.',
    takes: 'json',
    body: lateDecisionSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await decideLateLead(context, { caller, from }, id, body)
      return { status: 204 }
    },
  }),
]
