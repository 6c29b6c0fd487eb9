import { PATHS } from '../paths.ts'
import { readLanding, withoutLanding } from './landing.ts'
import { takeFlow } from './providers/kept-flow.ts'

/** Where the service sends a browser back to that went to a provider. */
const RETURN_PATHS: readonly string[] = [PATHS.auth, PATHS.settings]

// As the router reads it.
const pathname = location.pathname.replace(/\/+$/, '').toLowerCase()

/** Read before the client of the service is made, which takes the fragment away. */
export const landing = readLanding(location, RETURN_PATHS.includes(pathname), takeFlow)
// The router, too, must never see what the query brought.
if (landing.code !== null || landing.error !== null)
  history.replaceState(history.state, '', location.pathname + withoutLanding(location.search) + location.hash)
