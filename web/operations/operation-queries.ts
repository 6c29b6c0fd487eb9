import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  REDRIVE_IDS,
  deadLetterSchema,
  deadLetterSummarySchema,
  redriveResultSchema,
  troubledEndpointSchema,
  type RedriveResult,
} from '#core/contract/operations/dead-letter.ts'
import { queuesSchema } from '#core/contract/operations/queues.ts'
import { waitingEndpointSchema, waitsSchema } from '#core/contract/operations/waits.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { request } from '../api/client.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 10_000
/** Refreshed less often than the endpoints, because listing all dead letters costs more. */
const DEAD_LETTERS_REFRESH_MS = 30_000
/** Prefix of the keys of all queries that a redrive changes. */
export const OPERATIONS_KEY = ['admin', 'operations']

const deadLetterPageSchema = pageSchema(deadLetterSchema)

/** Filters of the dead letters; an empty string does not filter. */
export interface DeadLetterFilters {
  reason: string
  client: string
}

/** Selects the dead letters to redrive. */
export type RedriveChoice = { ids: string[] } | { filter: DeadLetterFilters }

const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Record<string, string>

export function deadLettersQuery(filters: DeadLetterFilters) {
  return infiniteQueryOptions({
    queryKey: [...OPERATIONS_KEY, 'dead-letters', filters],
    queryFn: ({ pageParam, signal }) => {
      const asked = { ...filters, limit: String(PAGE_SIZE), cursor: pageParam }
      return request(withQuery(apiPath('admin', 'dead-letters'), asked), deadLetterPageSchema, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    // A list of several pages is not refreshed, because every page would be loaded again.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.pages.length > 1 ? false : DEAD_LETTERS_REFRESH_MS,
  })
}

export const deadLetterSummaryQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'summary'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'dead-letters', 'summary'), deadLetterSummarySchema, { signal }),
  refetchInterval: DEAD_LETTERS_REFRESH_MS,
})

export const troubledEndpointsQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'endpoints'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'endpoints'), z.object({ data: z.array(troubledEndpointSchema) }), { signal }),
  refetchInterval: REFRESH_MS,
})

export const queuesQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'queues'],
  queryFn: ({ signal }) => request(apiPath('admin', 'queues'), queuesSchema, { signal }),
  refetchInterval: REFRESH_MS,
})

export const waitsQuery = queryOptions({
  queryKey: [...OPERATIONS_KEY, 'waits'],
  queryFn: ({ signal }) => request(apiPath('admin', 'waits'), waitsSchema, { signal }),
  refetchInterval: REFRESH_MS,
})

export function waitsOfQuery(client: string) {
  return queryOptions({
    queryKey: [...OPERATIONS_KEY, 'waits', client],
    queryFn: ({ signal }) =>
      request(apiPath('admin', 'waits', client), z.object({ data: z.array(waitingEndpointSchema) }), {
        signal,
      }),
    refetchInterval: REFRESH_MS,
  })
}

/** Counts the deliveries that {@link redrive} would send, and sends none. */
export async function countRedrive(choice: RedriveChoice): Promise<RedriveResult> {
  return await sumOf(choice, (body) => redrivePiece({ ...body, dry_run: true }))
}

/**
 * Redrives dead letters. @param key idempotency key; keep it until the answer has come, so that nothing is
 * sent twice
 */
export async function redrive(choice: RedriveChoice, note: string, key: string): Promise<RedriveResult> {
  return await sumOf(choice, (body, piece) => redrivePiece({ ...body, note }, `${key}#${piece}`))
}

/** Sends ids in chunks of as many as one request takes, and sums up the results. */
async function sumOf(
  choice: RedriveChoice,
  send: (body: object, piece: number) => Promise<RedriveResult>,
): Promise<RedriveResult> {
  if (!('ids' in choice)) return await send({ filter: given(choice.filter) }, 0)
  const sum: RedriveResult = { count: 0, switched_off: 0 }
  for (let from = 0; from < choice.ids.length; from += REDRIVE_IDS) {
    const { count, switched_off } = await send({ ids: choice.ids.slice(from, from + REDRIVE_IDS) }, from)
    sum.count += count
    sum.switched_off += switched_off
  }
  return sum
}

async function redrivePiece(body: object, idempotencyKey?: string): Promise<RedriveResult> {
  return await request(apiPath('admin', 'dead-letters', 'redrive'), redriveResultSchema, {
    method: 'POST',
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

/** Starts a short session for /admin/queues; the server answers with a cookie for that path. */
export async function openQueueSession(): Promise<void> {
  await request(apiPath('admin', 'queues-session'), z.undefined(), { method: 'POST' })
}
