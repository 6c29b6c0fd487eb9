import { z } from 'zod'
import {
  deadLetterFilterSchema,
  deadLetterSchema,
  deadLetterSummarySchema,
  redriveResultSchema,
  redriveSchema,
  retryFailedSchema,
  retryResultSchema,
  troubledEndpointSchema,
} from '#core/contract/operations/dead-letter.ts'
import { queuesSchema } from '#core/contract/operations/queues.ts'
import { waitingEndpointSchema, waitsSchema } from '#core/contract/operations/waits.ts'
import { pageSchema } from '#core/contract/page.ts'
import { listDeadLetters, summariseDeadLetters } from '#core/data/operations/dead-letters.ts'
import { readStrayEvents } from '#core/data/operations/pipeline-lag.ts'
import { cutPage } from '#core/data/page.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import type { ServerContext } from '../../context.ts'
import { createQueueCookie } from '../../queue-board/queue-session.ts'
import { redrive } from './redrive-dead-letters.ts'
import { retryFailed } from './retry-failed.ts'
import { showQueues } from './show-queues.ts'
import { showTroubledEndpoints } from './show-troubled-endpoints.ts'
import { showWaits, showWaitsOf } from './show-waits.ts'
import { pageQuerySchema, readPage } from '../../http/read-page.ts'
import { route } from '../../http/route.ts'

/** Calls for administrators who watch over the deliveries. */
export const adminOperationsRoutes = [
  route({
    method: 'get',
    path: '/api/v1/admin/dead-letters',
    who: 'admin',
    summary: 'List the dead letters of all clients, newest first',
    description: 'A dead letter is a delivery that finally failed and was not sent again.',
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
      'Count the dead letters by reason and client, the failed jobs of the queues, and the events that nobody processes',
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
    needs: 'operations',
    summary: 'Send dead letters again, by their ids or by a filter',
    description: 'With `dry_run` it only counts them.',
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
    method: 'post',
    path: '/api/v1/admin/retry-failed',
    who: 'admin',
    needs: 'operations',
    summary: 'Try events or mails again that were given up',
    description:
      '`events` are those that PostgreSQL refused five times to plan; workers plan them within half a minute. `mails` are notices that the mail server refused; those with a code or a link, and expired ones, stay as they are. With `dry_run` it only counts them, and needs no `note`. A repeat after an interruption continues.',
    takes: 'json',
    body: retryFailedSchema,
    answers: { 200: retryResultSchema },
    handle: async ({ context, caller, from, body: { since, ...wish } }) => ({
      status: 200,
      json: await retryFailed(context, { caller, from }, { ...wish, ...(since !== undefined && { since }) }),
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/endpoints',
    who: 'admin',
    summary: 'List the endpoints of all clients that fail or whose breaker is open',
    answers: { 200: z.object({ data: z.array(troubledEndpointSchema) }) },
    handle: async ({ context }) => ({
      status: 200,
      json: { data: (await showTroubledEndpoints(context.db)).endpoints },
    }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/queues',
    who: 'admin',
    summary: 'Count the deliveries of each shard in the states of a queue, and say what is wrong',
    description:
      'Counts are exact up to 100,000; above that `more` is true. `completed` counts the last hour. The queue dashboard shows the same counts.',
    answers: { 200: queuesSchema },
    handle: async ({ context }) => ({ status: 200, json: await showQueues(context) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/waits',
    who: 'admin',
    summary:
      'List the clients whose deliveries wait longest, with their deliveries in flight, and count the workers',
    answers: { 200: waitsSchema },
    handle: async ({ context }) => ({ status: 200, json: await showWaits(context) }),
  }),
  route({
    method: 'get',
    path: '/api/v1/admin/waits/:id',
    who: 'admin',
    summary: 'List the endpoints of one client with waiting deliveries, and the reason for each',
    answers: { 200: z.object({ data: z.array(waitingEndpointSchema) }) },
    handle: async ({ context, id }) => ({ status: 200, json: { data: await showWaitsOf(context, id) } }),
  }),
  route({
    method: 'post',
    path: '/api/v1/admin/queues-session',
    who: 'admin',
    needs: 'read',
    summary: 'Allow this browser to open /admin/queues for 15 minutes',
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
    const queues = await context.operations.queues.count()
    return queues.map(({ queue, counts }) => ({ queue, count: counts.failed }))
  } catch (error) {
    context.logger.debug({ err: error }, 'the queues cannot be counted')
    return null
  }
}
