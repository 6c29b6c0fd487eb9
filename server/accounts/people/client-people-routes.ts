import { z } from 'zod'
import { clientPersonSchema } from '#core/contract/market/client-page.ts'
import { route } from '#server/http/route.ts'
import { listClientPeople } from './list-client-people.ts'

export const clientPeopleRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id/people',
    who: 'admin',
    summary: 'List the people who can sign in to a client’s account, with their sessions',
    answers: { 200: z.object({ data: z.array(clientPersonSchema) }) },
    handle: async ({ context, caller, id }) => ({
      status: 200,
      json: { data: await listClientPeople(context, caller, id) },
    }),
  }),
]
