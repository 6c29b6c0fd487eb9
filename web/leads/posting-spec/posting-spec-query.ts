import { queryOptions } from '@tanstack/react-query'
import { postingSpecSchema } from '#core/contract/leads/posting-spec.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

export function postingSpecQuery(token: string) {
  return queryOptions({
    queryKey: ['posting-spec', token],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('posting-spec'), { token }), postingSpecSchema, { signal }),
  })
}
