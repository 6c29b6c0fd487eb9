import type { SetupStep } from '#core/contract/market/client-setup.ts'
import { APP_PATHS, SITE_PATHS, type AdminPlace } from '#core/contract/paths.ts'

export const PATHS = { ...SITE_PATHS, ...APP_PATHS }

export const HOME_AFTER_SIGN_IN = APP_PATHS.dashboard

const RETURN_PARAMETER = 'return_to'

/** The forms of /auth; the first is the one without a parameter. */
export type AuthMode = 'sign-in' | 'sign-up' | 'code' | 'forgot'

/** Returns the query of /auth with another mode and the same other parameters. */
export function authModePath(search: URLSearchParams, mode: AuthMode) {
  const next = new URLSearchParams(search)
  if (mode === 'sign-in') next.delete('mode')
  else next.set('mode', mode)
  return next
}

export type SettingsTab = 'profile' | 'security' | 'team' | 'billing' | 'notifications' | 'appearance'

export function settingsPath(tab: SettingsTab) {
  return `${APP_PATHS.settings}?${new URLSearchParams({ tab })}`
}

/** Path of one payment in the billing settings; payment providers return to it. */
export function paymentPath(id: string) {
  return `${settingsPath('billing')}&${new URLSearchParams({ payment: id })}`
}

/** Path of the page about an empty balance, with the path to return to. */
export function paymentRequiredPath(returnTo: string) {
  return `${APP_PATHS.paymentRequired}?${new URLSearchParams({ [RETURN_PARAMETER]: returnTo })}`
}

/** Path of a new client's setup, at one step or where the client left off. */
export function onboardingPath(step?: SetupStep) {
  return step === undefined
    ? APP_PATHS.onboarding
    : `${APP_PATHS.onboarding}?${new URLSearchParams({ step })}`
}

/** Path of the list of leads with the given filters. */
export function leadsPath(filters: Readonly<Record<string, string>>) {
  return `${APP_PATHS.leads}?${new URLSearchParams(filters)}`
}

/** Path of the integrations page, optionally with the log of one configuration and one attempt open. */
export function webhooksPath(logs?: string, attempt?: string) {
  const open = { ...(logs === undefined ? {} : { logs }), ...(attempt === undefined ? {} : { attempt }) }
  const view = { view: 'configure', ...open }
  return `${APP_PATHS.clientIntegrations}?${new URLSearchParams(view)}`
}

/** Path of the integrations page with the form of a new configuration open. */
export function newWebhookPath() {
  return `${webhooksPath()}&new=webhook`
}

export function leadPath(id: string) {
  return `${APP_PATHS.leads}/${encodeURIComponent(id)}`
}

/** Path of the proof of a revocation. */
export function doNotContactPath(revocation: string) {
  return APP_PATHS.doNotContactProof.replace(':id', encodeURIComponent(revocation))
}

/** Path of a place of the administration, optionally at one of its tabs. */
export function adminPath(place: AdminPlace, tab?: string) {
  const path = APP_PATHS.adminPlace.replace(':place', place)
  return tab === undefined ? path : `${path}?${new URLSearchParams({ tab })}`
}

/** Path of one client, lead, … of a place of the administration. */
export function adminItemPath(place: AdminPlace, id: string) {
  return APP_PATHS.adminItem.replace(':place', place).replace(':id', encodeURIComponent(id))
}

/** Path of a lead's page with one of its delivery attempts open. */
export function adminAttemptPath(lead: string, attempt: string) {
  return `${adminItemPath('leads', lead)}?${new URLSearchParams({ attempt })}`
}

/** Path of a lead that was searched for on the screen of this path: in the administration, its whole story. */
export function foundLeadPath(pathname: string, id: string) {
  return /^\/admin(?:\/|$)/i.test(pathname) ? adminItemPath('leads', id) : leadPath(id)
}

/** Path of the sign-in page that remembers the requested screen; administrators have their own page. */
export function signInPath(returnTo: string, screen?: string) {
  const isAdmin = /^\/admin(?:[/?#]|$)/i.test(returnTo)
  return `${screen ?? (isAdmin ? APP_PATHS.adminAuth : APP_PATHS.auth)}?${new URLSearchParams({ [RETURN_PARAMETER]: returnTo })}`
}

/** Follows only a path of this origin; otherwise the sign-in screen would be an open redirect. */
export function returnPath(search: URLSearchParams, origin: string, fallback: string = HOME_AFTER_SIGN_IN) {
  const wanted = search.get(RETURN_PARAMETER)
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return fallback
  const url = new URL(wanted, origin)
  const path = url.pathname.replace(/\/+$/, '').toLowerCase()
  const isSignIn = path === APP_PATHS.auth || path === APP_PATHS.adminAuth
  // `/.//host` has this origin, but its pathname `//host` would lead to another.
  if (url.origin !== origin || url.pathname.startsWith('//') || isSignIn) return fallback
  return url.pathname + url.search + url.hash
}
