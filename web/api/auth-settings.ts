import { queryOptions } from '@tanstack/react-query'
import { readAuthSettings } from '#core/contract/accounts/auth-settings.ts'
import { AUTH_URL } from '../session/auth-url.ts'
import { noteServerTime } from '../session/server-clock.ts'
import { ApiError } from './errors.ts'

/** What the authentication service offers. Asked once: it changes when the service is started anew. */
export const authSettingsQuery = queryOptions({
  queryKey: ['auth', 'settings'],
  queryFn: async ({ signal }) => {
    const response = await fetch(`${AUTH_URL}/settings`, { headers: { accept: 'application/json' }, signal })
    noteServerTime(response)
    const settings = readAuthSettings(await response.json())
    if (settings !== null) return settings
    throw new ApiError('unexpected_answer', response.status, 'The settings could not be read.')
  },
  // The forms wait for it; without it they show what they can.
  retry: false,
  // Offline, too: a query that waits for the connection would keep them away without a word.
  networkMode: 'always',
  staleTime: Infinity,
})
