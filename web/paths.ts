import type { SetupStep } from '#core/contract/market/client-setup.ts'
import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'

export const PATHS = { ...SITE_PATHS, ...APP_PATHS }

export const HOME_AFTER_SIGN_IN = APP_PATHS.dashboard

const RETURN_PARAMETER = 'return_to'

/** The ways to sign in and up; the first is the one without a parameter. */
export type AuthMode = 'sign-in' | 'sign-up' | 'code' | 'forgot'

/** The query of /auth in another mode, with everything else as it was. */
export function authModePath(search: URLSearchParams, mode: AuthMode) {
  const next = new URLSearchParams(search)
  if (mode === 'sign-in') next.delete('mode')
  else next.set('mode', mode)
  return next
}

export type SettingsTab = 'profile' | 'security' | 'billing' | 'notifications' | 'appearance'

export function settingsPath(tab: SettingsTab) {
  return `${APP_PATHS.settings}?${new URLSearchParams({ tab })}`
}

/** One payment within the billing settings; payment providers lead back to it, too. */
export function paymentPath(id: string) {
  return `${settingsPath('billing')}&${new URLSearchParams({ payment: id })}`
}

/** What an empty balance means, and the way back for who has funds. */
export function paymentRequiredPath(returnTo: string) {
  return `${APP_PATHS.paymentRequired}?${new URLSearchParams({ [RETURN_PARAMETER]: returnTo })}`
}

/** The steps of a new client, at one of them or where he left off. */
export function onboardingPath(step?: SetupStep) {
  return step === undefined
    ? APP_PATHS.onboarding
    : `${APP_PATHS.onboarding}?${new URLSearchParams({ step })}`
}

/** The list of leads, narrowed as its filters have it. */
export function leadsPath(filters: Readonly<Record<string, string>>) {
  return `${APP_PATHS.leads}?${new URLSearchParams(filters)}`
}

/** The integrations page at its configurations, with the log of one of them open where it is named, and one of its attempts. */
export function webhooksPath(logs?: string, attempt?: string) {
  const open = { ...(logs === undefined ? {} : { logs }), ...(attempt === undefined ? {} : { attempt }) }
  const view = { view: 'configure', ...open }
  return `${APP_PATHS.clientIntegrations}?${new URLSearchParams(view)}`
}

/** The same with the form of a new configuration open. */
export function newWebhookPath() {
  return `${webhooksPath()}&new=webhook`
}

export function leadPath(id: string) {
  return `${APP_PATHS.leads}/${encodeURIComponent(id)}`
}

/** Where a signed-out visitor is sent, remembering the screen that was asked for; administrators have a door of their own. */
export function signInPath(returnTo: string, screen?: string) {
  const isAdmin = /^\/admin(?:[/?#]|$)/i.test(returnTo)
  return `${screen ?? (isAdmin ? APP_PATHS.adminAuth : APP_PATHS.auth)}?${new URLSearchParams({ [RETURN_PARAMETER]: returnTo })}`
}

/** Only a path of this origin is followed, or the sign-in screen would be an open redirect. */
export function returnPath(search: URLSearchParams, origin: string, fallback: string = HOME_AFTER_SIGN_IN) {
  const wanted = search.get(RETURN_PARAMETER)
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, origin)) return fallback
  const url = new URL(wanted, origin)
  const path = url.pathname.replace(/\/+$/, '').toLowerCase()
  const isSignIn = path === APP_PATHS.auth || path === APP_PATHS.adminAuth
  // `/.//host` names this origin, and what is left of it would name another.
  if (url.origin !== origin || url.pathname.startsWith('//') || isSignIn) return fallback
  return url.pathname + url.search + url.hash
}
