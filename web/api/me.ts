import { queryOptions } from '@tanstack/react-query'
import { meSchema } from '#core/contract/accounts/account.ts'
import { apiPath } from './api-path.ts'
import { request } from './client.ts'
import { TELLS_ALONG } from './live-queries.ts'
import { ME_KEY } from './me-key.ts'

export const meQuery = queryOptions({
  queryKey: ME_KEY,
  queryFn: ({ signal }) => request(apiPath('me'), meSchema, { signal }),
  meta: TELLS_ALONG,
})
