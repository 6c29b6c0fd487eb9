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

/** Health of all endpoints of the client; refreshed live while a screen shows it. */
export const endpointHealthQuery = queryOptions({
  queryKey: endpointHealthKey,
  queryFn: async ({ signal }) =>
    (await request(apiPath('webhook-configs', 'health'), endpointHealthListSchema, { signal })).data,
  meta: TELLS_DELIVERIES,
})

/** Switches a webhook on, tests it first if asked, and sends or discards its waiting deliveries. */
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
