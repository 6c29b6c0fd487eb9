import { APP_PATHS } from '#core/contract/paths.ts'
import { isLandingFragment } from '#web/session/landing.ts'

/** A mail's link leads to the address of the installation where it names no screen; what it brought is for the app. */
export function passLanding() {
  const { search, hash } = location
  // In place of this entry of the history, which would keep the tokens.
  if (isLandingFragment(hash)) location.replace(APP_PATHS.auth + search + hash)
}
