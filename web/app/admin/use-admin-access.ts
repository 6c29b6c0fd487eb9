import { useQuery } from '@tanstack/react-query'
import { adminAccessQuery } from '#web/api/admin-access.ts'
import { meQuery } from '#web/api/me.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { readToken } from '#web/session/read-token.ts'

/** Whether the signed-in user may administer; `failed` has what went wrong and a way to try again. */
export type AdminAccessState =
  | { state: 'open' | 'second_factor' | 'closed' | 'loading' }
  | { state: 'failed'; title: string; error: Error; retry: () => void }

export function useAdminAccess(): AdminAccessState {
  const me = useQuery(meQuery)
  const { session } = useAuth()
  const aal = session === null ? 'aal1' : readToken(session.access_token).aal
  const isAdmin = me.data?.role === 'admin'
  const access = useQuery({ ...adminAccessQuery(session?.user.id ?? '', aal), enabled: isAdmin })
  if (me.data !== undefined && !isAdmin) return { state: 'closed' }
  if (access.data !== undefined) return { state: access.data }
  if (me.isError) {
    const title = 'Your account could not be loaded.'
    return { state: 'failed', title, error: me.error, retry: () => void me.refetch() }
  }
  if (access.isError) {
    const title = 'Your access could not be checked.'
    return { state: 'failed', title, error: access.error, retry: () => void access.refetch() }
  }
  return { state: 'loading' }
}
