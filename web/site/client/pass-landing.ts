import { APP_PATHS } from '#core/contract/paths.ts'
import { isLandingFragment } from '#web/session/landing.ts'

/**
 * Passes a mail's parameters on to the app: a link that names no screen opens the installation's home page.
 */
export function passLanding() {
  const { search, hash } = location
  // Replaces this history entry, which would keep the tokens.
  if (isLandingFragment(hash)) location.replace(APP_PATHS.auth + search + hash)
}
