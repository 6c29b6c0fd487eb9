import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  endpointHealthListSchema,
  switchOnResultSchema,
  type SwitchOn,
} from '#core/contract/webhooks/endpoint-health.ts'
import { apiPath } from '#web/api/api-path.ts'
import { TELLS_DELIVERIES } from '#web/api/live-queries.ts'
import { request } from '#web/api/client.ts'
import { endpointHealthKey, webhookConfigsQuery } from './webhook-configs.ts'

/** How all endpoints of the signed-in client do; kept fresh while a screen shows it. */
export const endpointHealthQuery = queryOptions({
  queryKey: endpointHealthKey,
  queryFn: async ({ signal }) =>
    (await request(apiPath('webhook-configs', 'health'), endpointHealthListSchema, { signal })).data,
  meta: TELLS_DELIVERIES,
})

/** Switches a webhook on, after a test where one is asked for, and sends or discards what waits for it. */
export function useSwitchOn() {
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: webhookConfigsQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: endpointHealthKey }),
    ])
  return useMutation({
    mutationFn: ({ id, ...wish }: SwitchOn & { id: string }) =>
      request(apiPath('webhook-configs', id, 'switch-on'), switchOnResultSchema, {
        method: 'POST',
        body: wish,
      }),
    onSuccess: refresh,
    onError: () => void refresh(),
  })
}
