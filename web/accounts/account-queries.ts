import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { meSchema, ownPasswordSchema } from '#core/contract/accounts/account.ts'
import { ownAuditRowSchema } from '#core/contract/accounts/audit.ts'
import { recoveryCodesLeftSchema, recoveryCodesSchema } from '#core/contract/accounts/recovery-codes.ts'
import { ownSessionSchema } from '#core/contract/accounts/session.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { authClient } from '../session/auth-client.ts'
import { describeAccountError } from '../session/credentials/describe-account-error.ts'
import { request } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { meQuery } from '../api/me.ts'

const SESSIONS_KEY = ['me', 'sessions']
const AUDIT_PAGE = 10

/** The account's open sessions. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS_KEY,
  queryFn: async ({ signal }) => {
    const schema = z.object({ data: z.array(ownSessionSchema) })
    return (await request(apiPath('me', 'sessions'), schema, { signal })).data
  },
  // Other people and machines change the list too.
  staleTime: 0,
})

/** The account's audit log, newest first. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['me', 'audit'],
  queryFn: ({ pageParam, signal }) => {
    const schema = pageSchema(ownAuditRowSchema)
    return request(
      withQuery(apiPath('me', 'audit'), { limit: String(AUDIT_PAGE), cursor: pageParam }),
      schema,
      { signal },
    )
  },
  initialPageParam: '',
  getNextPageParam: (last) => last.next_cursor,
  staleTime: 0,
})

/** True if the account has a password. */
export const passwordQuery = queryOptions({
  queryKey: ['me', 'password'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('me', 'password'), ownPasswordSchema, { signal })).is_set,
  // Unlinking the address that the password was set with removes the password.
  staleTime: 0,
})

/** Number of recovery codes left. */
export const recoveryCodesQuery = queryOptions({
  queryKey: ['me', 'recovery-codes'],
  queryFn: ({ signal }) => request(apiPath('me', 'recovery-codes'), recoveryCodesLeftSchema, { signal }),
  // A sign-in on another device uses them up.
  staleTime: 0,
})

/** Makes new recovery codes. They are shown once. */
export function useMakeRecoveryCodes() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await request(apiPath('me', 'recovery-codes'), recoveryCodesSchema, { method: 'POST' })).codes,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: recoveryCodesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: auditQuery.queryKey }),
      ]),
  })
}

/** The account's identities, as the service has them now. */
export const identitiesQuery = queryOptions({
  queryKey: ['me', 'identities'],
  queryFn: async () => {
    const { data, error } = await authClient.getUserIdentities()
    if (error === null) return data.identities
    throw new ApiError('unexpected_answer', error.status ?? 0, describeAccountError(error), [], error)
  },
  staleTime: 0,
})

export function useRename() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => request(apiPath('me'), meSchema, { method: 'PATCH', body: { name } }),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  })
}

export function useRevokeSession() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => request(apiPath('me', 'sessions', id), z.unknown(), { method: 'DELETE' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS_KEY }),
  })
}
