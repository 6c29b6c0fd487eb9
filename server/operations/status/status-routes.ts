import { z } from 'zod'
import {
  incidentChangeSchema,
  incidentRemovalSchema,
  incidentSchema,
  serviceStatusSchema,
} from '#core/contract/operations/service-status.ts'
import { listIncidents } from '#core/data/operations/incidents.ts'
import { requireAllowed } from '../../http/rate-limits.ts'
import { route } from '../../http/route.ts'
import { changeIncident, removeIncident, writeIncident } from './write-incident.ts'
import { STATUS_SECONDS } from './show-status.ts'

const SHOWN = 200

/** The status page of the public site, and the incidents that administrators write there. */
export const statusRoutes = [
  route({
    method: 'get',
    path: '/api/v1/status',
    who: 'public',
    summary: 'Return the service’s promise, how it was kept, and incidents',
    description:
      'For everybody. Percentages are those of leads whose first attempt began in time, from sums of past hours; days with few leads have none. An answer is up to a minute old. More than 60 calls a minute from one network are a 429.',
    answers: { 200: serviceStatusSchema },
    handle: async ({ context, from }) => {
      requireAllowed(await context.operations.publicRates.spend('status', from.network), 'calls')
      const headers = { 'Cache-Control': `public, max-age=${STATUS_SECONDS}` }
      return { status: 200, json: await context.operations.readStatus(), headers }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/incidents',
    who: 'admin',
    summary: 'List the newest 200 incidents of the status page',
    answers: { 200: z.object({ data: z.array(incidentSchema) }) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: await listIncidents(context.db, { limit: SHOWN }) },
    }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/incidents',
    who: 'admin',
    needs: 'operations',
    summary: 'Write an incident on the public status page',
    description: 'Plain text, which everybody reads within a minute: name no client.',
    takes: 'json',
    body: incidentChangeSchema,
    answers: { 201: incidentSchema },
    handle: async ({ context, caller, from, body }) => ({
      status: 201,
      json: await writeIncident(context, { caller, from }, body),
    }),
  }),
  route({
    method: 'patch',
    path: '/api/v1/admin/incidents/:id',
    who: 'admin',
    needs: 'operations',
    summary: 'Change an incident, or say when it ended',
    takes: 'json',
    body: incidentChangeSchema,
    answers: { 200: incidentSchema },
    handle: async ({ context, caller, from, id, body }) => ({
      status: 200,
      json: await changeIncident(context, { caller, from }, id, body),
    }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/admin/incidents/:id',
    who: 'admin',
    needs: 'operations',
    summary: 'Take an incident off the status page',
    takes: 'json',
    body: incidentRemovalSchema,
    answers: { 204: null },
    handle: async ({ context, caller, from, id, body }) => {
      await removeIncident(context, { caller, from }, id, body.note)
      return { status: 204 }
    },
  }),
]
