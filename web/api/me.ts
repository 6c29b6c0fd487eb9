import { queryOptions } from '@tanstack/react-query'
import { meSchema } from '../../core/contract/account.ts'
import { request } from './client.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request('/api/v1/me', meSchema, { signal }),
})
