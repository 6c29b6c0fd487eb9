import { queryOptions } from '@tanstack/react-query'
import { revocationDetailSchema, revocationSchema } from '#core/contract/leads/revocation.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY, pages } from '#web/components/admin/admin-lists.ts'

export const revocationsQuery = (filters: { status: string; open: string }) =>
  pages('revocations', revocationSchema, filters)

export function revocationQuery(id: string) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'revocation', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'revocations', id), revocationDetailSchema, { signal }),
    staleTime: 0,
  })
}
