import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { incidentSchema } from '#core/contract/operations/service-status.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

/** The newest incidents of the status page. */
export const incidentsQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'incidents'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'incidents'), z.object({ data: z.array(incidentSchema) }), { signal }),
  staleTime: 0,
})
