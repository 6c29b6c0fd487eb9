import { APP_PATHS } from '../core/contract/paths.ts'

export const PATHS = APP_PATHS

export const HOME_AFTER_SIGN_IN = APP_PATHS.clientIntegrations

const RETURN_PARAMETER = 'return_to'

export function leadPath(id: string) {
  return `${APP_PATHS.leads}/${encodeURIComponent(id)}`
}

/** Where a signed-out visitor is sent, remembering the screen that was asked for. */
export function signInPath(returnTo: string) {
  return `${APP_PATHS.auth}?${new URLSearchParams({ [RETURN_PARAMETER]: returnTo })}`
}

/** Only a path of this origin is followed, or the sign-in screen would be an open redirect. */
export function returnPath(search: URLSearchParams, origin: string) {
  const wanted = search.get(RETURN_PARAMETER)
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return HOME_AFTER_SIGN_IN
  const url = new URL(wanted, origin)
  const isSignIn = url.pathname.replace(/\/+$/, '').toLowerCase() === APP_PATHS.auth
  if (url.origin !== origin || isSignIn) return HOME_AFTER_SIGN_IN
  return url.pathname + url.search + url.hash
}
