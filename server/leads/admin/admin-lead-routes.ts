import { leadErasedSchema, leadErasureSchema } from '#core/contract/leads/lead.ts'
import { route } from '../../http/route.ts'
import { eraseLeadForGood } from './erase-lead.ts'

export const adminLeadRoutes = [
  route({
    method: 'post',
    path: '/api/v1/admin/leads/:id/erase',
    who: 'admin',
    summary: 'Erase a person: the lead’s data, what was sent and answered, and what is still to be sent',
    description: 'A reason that has the person’s name, phone or e-mail address in it is refused.',
    takes: 'json',
    body: leadErasureSchema,
    answers: { 200: leadErasedSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await eraseLeadForGood(context, { caller, from }, id, body.reason),
    }),
  }),
]
