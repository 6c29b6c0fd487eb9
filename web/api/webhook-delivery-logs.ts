import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { deliveryLogDetailSchema, deliveryLogSchema } from '../../core/contract/delivery.ts'
import { request } from './client.ts'
import { webhookConfigPath } from './webhook-configs.ts'

/** SPEC.md §9: delivery logs per webhook. */
export const LOGS_SHOWN = 50
/** A retry's first step is five seconds, so two keep the open dialog true without a reload. */
const LIVE_INTERVAL_MS = 2000

const pageSchema = z.object({ data: z.array(deliveryLogSchema), next_cursor: z.string().nullable() })

/** The newest attempts of one configuration, refreshed for as long as somebody looks at them. */
export function deliveryLogsQuery(configId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'list', configId],
    queryFn: ({ signal }) =>
      request(`${webhookConfigPath(configId)}/delivery-logs?limit=${LOGS_SHOWN}`, pageSchema, { signal }),
    staleTime: 0,
    refetchInterval: LIVE_INTERVAL_MS,
  })
}

/** One attempt whole. Only one that still waits can change; a retry becomes an attempt of its own. */
export function deliveryLogQuery(logId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'one', logId],
    queryFn: ({ signal }) =>
      request(`/api/v1/delivery-logs/${encodeURIComponent(logId)}`, deliveryLogDetailSchema, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      typeof state.data?.next_attempt_at === 'string' ? LIVE_INTERVAL_MS : false,
  })
}
