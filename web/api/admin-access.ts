import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { apiPath } from './api-path.ts'
import { request } from './client.ts'
import { ApiError } from './errors.ts'

/**
 * open: the administrators' routes answer; second_factor: they need a second factor first; closed: the user
 * is no administrator.
 */
export type AdminAccess = 'open' | 'second_factor' | 'closed'

/** Asks an administrators' route, because only the server knows role and policy. */
export function adminAccessQuery(userId: string, aal: 'aal1' | 'aal2') {
  return queryOptions({
    queryKey: ['admin', 'access', userId, aal],
    queryFn: async ({ signal }): Promise<AdminAccess> => {
      try {
        await request(apiPath('admin', 'sources'), z.unknown(), { signal })
        return 'open'
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'mfa_required') return 'second_factor'
        if (error.code === 'forbidden') return 'closed'
        throw error
      }
    },
  })
}
