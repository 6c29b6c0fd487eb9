import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { sourceSchema } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

export const sourcesQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'sources'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'sources'), z.object({ data: z.array(sourceSchema) }), { signal }),
  staleTime: 0,
})
