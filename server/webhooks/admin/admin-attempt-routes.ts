import { deliveryLogDetailSchema } from '#core/contract/webhooks/delivery.ts'
import { route } from '../../http/route.ts'
import { showAttempt } from '../show-attempt.ts'

/** Administrators read any client's attempt, for example to say why a lead did not arrive. */
export const adminAttemptRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/delivery-logs/:id',
    who: 'admin',
    summary: 'Return one attempt of any client with its request, response and timing',
    description: 'Secret header values are masked, as they are for the client.',
    answers: { 200: deliveryLogDetailSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await showAttempt(context, undefined, id) }),
  }),
]
