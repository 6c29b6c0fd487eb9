import { queryOptions } from '@tanstack/react-query'
import { deliveryLogDetailSchema } from '#core/contract/webhooks/delivery.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { TELLS_DELIVERIES } from '#web/api/live-queries.ts'

/** One whole attempt of any client, which administrators read. */
export function anyDeliveryLogQuery(logId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'any', logId],
    queryFn: ({ signal }) =>
      request(apiPath('admin', 'delivery-logs', logId), deliveryLogDetailSchema, { signal }),
    staleTime: 0,
    meta: TELLS_DELIVERIES,
  })
}
