import {
  adminClientDetailSchema,
  adminClientFilterSchema,
  adminClientSchema,
  clientDecisionSchema,
  clientSuspensionSchema,
  sendingPauseSchema,
  sendingResumptionSchema,
} from '#core/contract/market/admin-client.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listClients } from '#core/data/market/admin-clients.ts'
import { cutPage } from '#core/data/page.ts'
import { NAMED_AFTER_FAILURES } from '#core/domain/webhooks/endpoint-status.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'
import { describeClient } from './describe-client.ts'
import { pauseSendingTo, resumeSendingTo } from './pause-sending.ts'
import { approveClient, resumeClient, showClient, suspendClient } from './change-client.ts'

/** Calls about clients, for administrators. */
export const adminClientRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/clients',
    who: 'admin',
    summary: 'List all clients, newest first',
    description:
      'They can be searched by a part of the name, email address or business, and limited to one status.',
    query: pageQuerySchema.extend(adminClientFilterSchema.shape),
    answers: { 200: pageSchema(adminClientSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const found = await listClients(context.db, query, page, NAMED_AFTER_FAILURES)
      const { rows, next_cursor } = cutPage(found, page.limit)
      return { status: 200, json: { data: rows.map(describeClient), next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/clients/:id',
    who: 'admin',
    summary: 'Return one client with their orders and prices',
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, id }) => ({ status: 200, json: await showClient(context, id) }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/approve',
    who: 'admin',
    needs: 'clients',
    summary: 'Approve a client, who may then buy leads',
    description: 'Repeating the call changes nothing. A closed or erased account is refused (409).',
    takes: 'json',
    body: clientDecisionSchema,
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await approveClient(context, { caller, from }, id, body.note),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/suspend',
    who: 'admin',
    needs: 'clients',
    summary: 'Suspend a client: no sign-in and no new leads',
    description: 'Orders and balance stay. A reason is required.',
    takes: 'json',
    body: clientSuspensionSchema,
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await suspendClient(context, { caller, from }, id, body.reason),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/resume',
    who: 'admin',
    needs: 'clients',
    summary: 'End the suspension of a client',
    takes: 'json',
    body: clientDecisionSchema,
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await resumeClient(context, { caller, from }, id, body.note),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/pause-sending',
    who: 'admin',
    needs: 'operations',
    summary: 'Pause all sending to a client: its deliveries wait as held',
    description:
      'The client reads the reason. Its own switches stay as they are, and nothing is lost. An erased account is refused (409).',
    takes: 'json',
    body: sendingPauseSchema,
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await pauseSendingTo(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/clients/:id/resume-sending',
    who: 'admin',
    needs: 'operations',
    summary: 'End the pause of all sending to a client; what is held is sent',
    takes: 'json',
    body: sendingResumptionSchema,
    answers: { 200: adminClientDetailSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await resumeSendingTo(context, { caller, from }, id, body.note),
    }),
  }),
]
