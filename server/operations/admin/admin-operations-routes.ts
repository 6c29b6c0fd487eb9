import { z } from 'zod'
import {
  deadLetterFilterSchema,
  deadLetterSchema,
  deadLetterSummarySchema,
  redriveResultSchema,
  redriveSchema,
  troubledEndpointSchema,
} from '#core/contract/operations/dead-letter.ts'
import { waitingEndpointSchema, waitsSchema } from '#core/contract/operations/waits.ts'
import { listDeadLetters, summariseDeadLetters } from '#core/data/operations/dead-letters.ts'
import { readStrayEvents } from '#core/data/operations/pipeline-lag.ts'
import { cutPage } from '#core/data/page.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import type { ServerContext } from '../../context.ts'
import { createQueueCookie } from '../../queue-board/queue-session.ts'
import { redrive } from './redrive-dead-letters.ts'
import { showTroubledEndpoints } from './show-troubled-endpoints.ts'
import { showWaits, showWaitsOf } from './show-waits.ts'
import { pageQuerySchema, pageSchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

/** Calls for administrators who run the deliveries. */
export const adminOperationsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/dead-letters',
    who: 'admin',
    summary: 'Deliveries of all clients that finally failed and were not sent again, newest first',
    query: pageQuerySchema.extend(deadLetterFilterSchema.shape),
    answers: { 200: pageSchema(deadLetterSchema) },
    handle: async ({ context, query }) => {
      const page = readPage(query)
      const { rows, next_cursor } = cutPage(await listDeadLetters(context.db, query, page), page.limit)
      return { status: 200, json: { data: rows.map(({ position: _position, ...row }) => row), next_cursor } }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/dead-letters/summary',
    who: 'admin',
    summary:
      'How many dead letters there are, by reason and client, how many jobs BullMQ gave up, and which events nobody takes',
    answers: { 200: deadLetterSummarySchema },
    handle: async ({ context }) => {
      const { unclaimed, failed } = await readStrayEvents(context.db, CONSUMED_EVENTS)
      return {
        status: 200,
        json: {
          ...(await summariseDeadLetters(context.db)),
          failed_jobs: await countFailedJobs(context),
          unclaimed_events: unclaimed,
          failed_events: failed,
        },
      }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/dead-letters/redrive',
    who: 'admin',
    summary:
      'Send dead letters again: some by their ids, or all that a filter matches; with dry_run only count',
    takes: 'json',
    takesKey: true,
    body: redriveSchema,
    answers: { 200: redriveResultSchema },
    handle: async ({ context, caller, from, body, idempotencyKey }) => ({
      status: 200,
      json: await redrive(context, { caller, from }, body, idempotencyKey),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/endpoints',
    who: 'admin',
    summary: 'Endpoints of all clients that are failing or held back by their breaker',
    answers: { 200: z.object({ data: z.array(troubledEndpointSchema) }) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: await showTroubledEndpoints(context.db) },
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/waits',
    who: 'admin',
    summary: 'The clients whose deliveries wait longest, what each has under way, and how many workers run',
    answers: { 200: waitsSchema },
    handle: async ({ context }) => ({ status: 200, json: await showWaits(context) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/waits/:id',
    who: 'admin',
    summary: 'The endpoints of one client at which something waits, and why it has not begun',
    answers: { 200: z.object({ data: z.array(waitingEndpointSchema) }) },
    handle: async ({ context, id }) => ({ status: 200, json: { data: await showWaitsOf(context, id) } }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/queues-session',
    who: 'admin',
    summary: 'Let this browser open /admin/queues for 15 minutes',
    answers: { 204: null },
    handle: async ({ context, caller }) => ({
      status: 204,
      headers: { 'Set-Cookie': await createQueueCookie(context, caller, Math.floor(Date.now() / 1000)) },
    }),
  }),
]

async function countFailedJobs(
  context: ServerContext,
): Promise<Array<{ queue: string; count: number }> | null> {
  try {
    const queues = await context.queues.count()
    return queues.map(({ queue, counts }) => ({ queue, count: counts.failed }))
  } catch (error) {
    context.logger.debug({ err: error }, 'the queues cannot be counted')
    return null
  }
}
