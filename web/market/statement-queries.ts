import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { statementSchema } from '#core/contract/market/money/statement.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { request } from '../api/client.ts'

/** Path of a statement of the signed-in client, or of a client for administrators. */
export function statementPath(client: string | null, month: string, form: 'statement' | 'statement.csv') {
  const path = client === null ? apiPath(form) : apiPath('admin', 'clients', client, form)
  return withQuery(path, { month })
}

/** @param month empty: the current one */
export function statementQuery(client: string | null, month: string) {
  return queryOptions({
    queryKey: ['market', 'money', 'statement', client, month],
    queryFn: ({ signal }) => request(statementPath(client, month, 'statement'), statementSchema, { signal }),
    placeholderData: keepPreviousData,
  })
}
