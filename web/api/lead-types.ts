import { queryOptions } from '@tanstack/react-query'
import { leadTypesForClientSchema } from '#core/contract/market/order.ts'
import { apiPath } from './api-path.ts'
import { request } from './client.ts'

/** Lead types that can be ordered, with the signed-in client's price of each. */
export const leadTypesQuery = queryOptions({
  queryKey: ['lead-types'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('lead-types'), leadTypesForClientSchema, { signal })).data,
})
