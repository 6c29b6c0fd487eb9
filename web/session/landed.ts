import { PATHS } from '../paths.ts'
import { readLanding, withoutLanding } from './landing.ts'
import { takeFlow } from './providers/kept-flow.ts'

/** Pages to which the service returns the browser after a visit to a provider. */
const RETURN_PATHS: readonly string[] = [PATHS.auth, PATHS.settings]

// Normalised as the router does it.
const pathname = location.pathname.replace(/\/+$/, '').toLowerCase()

/** Read before auth-js is created, because auth-js removes the fragment. */
export const landing = readLanding(location, RETURN_PATHS.includes(pathname), takeFlow)
// The router must not see these parameters of the query either.
if (landing.code !== null || landing.error !== null)
  history.replaceState(history.state, '', location.pathname + withoutLanding(location.search) + location.hash)
