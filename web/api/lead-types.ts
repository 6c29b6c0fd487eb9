import { queryOptions } from '@tanstack/react-query'
import { leadTypesForClientSchema } from '#core/contract/market/order.ts'
import { apiPath } from './api-path.ts'
import { request } from './client.ts'

/** What can be ordered, and what the signed-in client pays for it. */
export const leadTypesQuery = queryOptions({
  queryKey: ['lead-types'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('lead-types'), leadTypesForClientSchema, { signal })).data,
})
