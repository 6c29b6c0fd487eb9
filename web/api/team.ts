import { queryOptions } from '@tanstack/react-query'
import { shownInvitationSchema, memberListSchema } from '#core/contract/accounts/members.ts'
import { apiPath } from './api-path.ts'
import { request } from './client.ts'

/** Prefix of the query keys of the account's people. */
export const TEAM_KEY = ['team']

/** The people of the account, and those who are invited. */
export const teamQuery = queryOptions({
  queryKey: TEAM_KEY,
  queryFn: ({ signal }) => request(apiPath('account', 'members'), memberListSchema, { signal }),
  staleTime: 0,
})

/** The account and role that an invitation offers. Reading it accepts nothing. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: [...TEAM_KEY, 'invitation', token],
    queryFn: ({ signal }) =>
      request(apiPath('account', 'members', 'invitations', 'read'), shownInvitationSchema, {
        method: 'POST',
        body: { token },
        signal,
      }),
    retry: false,
    staleTime: 0,
  })
}
