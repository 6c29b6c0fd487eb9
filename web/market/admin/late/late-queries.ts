import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { unclearLeadSchema } from '#core/contract/market/late-lead.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

/** The late leads that wait for a decision. */
export const unclearQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'late-leads'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'late-leads'), z.object({ data: z.array(unclearLeadSchema) }), { signal }),
  staleTime: 0,
})
