import { describeProviderError } from './providers/describe-provider-error.ts'
import type { ProviderFlow } from './providers/kept-flow.ts'

/** How the browser came here: by a mail's link or a provider, which leave their word in the fragment or the query. */
export interface Landing {
  /** signup, recovery, magiclink, invite, email_change; null where no link led here */
  type: string | null
  /** the access token that the link brought; whoever was signed in before has another */
  token: string | null
  /** to be traded for a session, with the verifier of the flow */
  code: string | null
  /** what this tab began by a provider, and is back from */
  flow: ProviderFlow | null
  /** why the link did not work; null where it did, or there was none */
  error: string | null
  /** what is left to do */
  message: string | null
}

/** The only texts that are shown: a fragment is written by whoever made the link, so its own words are never repeated. */
const ERRORS: Readonly<Record<string, string>> = {
  otp_expired: 'Email link is invalid or has expired',
  user_banned: 'User is banned',
  signup_disabled: 'Signups not allowed for this instance',
  provider_email_needs_verification: 'Please check your email and confirm your account',
}
const OTHER_ERROR = 'An error occurred. Please try again or contact support if the problem persists'
const HALF_CHANGED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
/** What the service adds to the query of the page that it sends the browser back to. */
const ADDED = ['code', 'error', 'error_code', 'error_description']

export interface LandingPlace {
  search: string
  hash: string
}

/**
 * @param isReturnPath whether a `code` in the query of this page can only be the service's
 * @param takeFlow answers what this tab had begun by a provider; asked only where the page is the end of it
 */
export function readLanding(
  { search, hash }: LandingPlace,
  isReturnPath: boolean,
  takeFlow: () => ProviderFlow | null,
): Landing {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const query = new URLSearchParams(search)
  const read = (name: string) => fragment.get(name) ?? query.get(name)
  const failed = ['error', 'error_code', 'error_description'].some((name) => read(name) !== null)
  const code = isReturnPath ? query.get('code') : null
  const flow = failed || code !== null ? takeFlow() : null
  return {
    type: fragment.has('access_token') ? fragment.get('type') : null,
    token: fragment.get('access_token'),
    code,
    flow,
    error: failed ? describeLandedError(read('error_code'), read('error'), flow) : null,
    message: fragment.get('message') === HALF_CHANGED ? HALF_CHANGED : null,
  }
}

function describeLandedError(code: string | null, error: string | null, flow: ProviderFlow | null) {
  // A link of a mail can be opened in the very tab that never came back from a provider.
  if (flow !== null && code !== 'otp_expired') return describeProviderError(code ?? error ?? '', flow)
  return Object.hasOwn(ERRORS, code ?? '') ? (ERRORS[code ?? ''] ?? OTHER_ERROR) : OTHER_ERROR
}

/** The query without what the service added to it: a reload must not trade a code twice, or say an error again. */
export function withoutLanding(search: string) {
  const query = new URLSearchParams(search)
  if (!ADDED.some((name) => query.has(name))) return search
  for (const name of ADDED) query.delete(name)
  return query.size === 0 ? '' : `?${query}`
}

/** Whether a fragment is a link's word to the app rather than a place on a page. */
export function isLandingFragment(hash: string) {
  return /[#&](?:access_token|error|error_code|error_description|message|sb)=/.test(hash)
}

let said = false

/** What the link left to say needs no saying any more: it was closed, or the person got in by another way. */
export function markLandingSaid() {
  said = true
}

export function isLandingSaid() {
  return said
}
