import { leadErasedSchema, leadErasureSchema } from '#core/contract/leads/lead.ts'
import { route } from '../../http/route.ts'
import { eraseLeadForGood } from './erase-lead.ts'

export const adminLeadRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/erase',
    who: 'admin',
    needs: 'leads',
    summary: 'Erase the details of a person',
    description:
      'This erases the data of the lead and all requests and answers about it, and cancels the deliveries that are still to come. A reason is required. It must not contain the person’s name, phone or email address (422).',
    takes: 'json',
    body: leadErasureSchema,
    answers: { 200: leadErasedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await eraseLeadForGood(context, { caller, from }, id, body.reason),
    }),
  }),
]
