import { queryOptions } from '@tanstack/react-query'
import { readAuthSettings } from '#core/contract/accounts/auth-settings.ts'
import { AUTH_URL } from '../session/auth-url.ts'
import { noteServerTime } from '../session/server-clock.ts'
import { ApiError } from './errors.ts'

/**
 * The sign-in methods that the authentication service offers. Asked once, because only a restart of the
 * service changes them.
 */
export const authSettingsQuery = queryOptions({
  queryKey: ['auth', 'settings'],
  queryFn: async ({ signal }) => {
    const response = await fetch(`${AUTH_URL}/settings`, { headers: { accept: 'application/json' }, signal })
    noteServerTime(response)
    const settings = readAuthSettings(await response.json())
    if (settings !== null) return settings
    throw new ApiError('unexpected_answer', response.status, 'The settings could not be read.')
  },
  // The sign-in forms wait for this answer; without it they show what they can.
  retry: false,
  // Offline the query must fail at once; a paused one would hide the forms without a reason.
  networkMode: 'always',
  staleTime: Infinity,
})
