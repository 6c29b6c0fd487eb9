import { describeProviderError } from './providers/describe-provider-error.ts'
import type { ProviderFlow } from './providers/kept-flow.ts'

/**
 * The parameters with which a mail's link or a provider has opened the page, in the fragment or the query.
 */
export interface Landing {
  /** signup, recovery, magiclink, invite, email_change; null without a link */
  type: string | null
  /** the access token of the link; an earlier session has another */
  token: string | null
  /** to be exchanged for a session, with the verifier of the flow */
  code: string | null
  /** the provider flow that this tab began and has returned from */
  flow: ProviderFlow | null
  /** the reason why the link did not work; null without an error */
  error: string | null
  /** the step that is left to do */
  message: string | null
}

/** Only these texts are shown. Anybody can write a fragment, so its own words are never repeated. */
const ERRORS: Readonly<Record<string, string>> = {
  otp_expired: 'Email link is invalid or has expired',
  user_banned: 'User is banned',
  signup_disabled: 'Signups not allowed for this instance',
  provider_email_needs_verification: 'Please check your email and confirm your account',
}
const OTHER_ERROR = 'An error occurred. Please try again or contact support if the problem persists'
const HALF_CHANGED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
/** Parameters that the service adds to the query when it returns the browser. */
const ADDED = ['code', 'error', 'error_code', 'error_description']

export interface LandingPlace {
  search: string
  hash: string
}

/**
 * Reads how the page was opened.
 * @param isReturnPath true if a `code` in the query can only be the service's
 * @param takeFlow returns the provider flow that this tab began; called only if the page ends one
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
  // A mail's link can open in a tab that never returned from a provider.
  if (flow !== null && code !== 'otp_expired') return describeProviderError(code ?? error ?? '', flow)
  return Object.hasOwn(ERRORS, code ?? '') ? (ERRORS[code ?? ''] ?? OTHER_ERROR) : OTHER_ERROR
}

/**
 * Removes the service's parameters from the query, so that a reload neither exchanges a code twice nor
 * repeats an error.
 */
export function withoutLanding(search: string) {
  const query = new URLSearchParams(search)
  if (!ADDED.some((name) => query.has(name))) return search
  for (const name of ADDED) query.delete(name)
  return query.size === 0 ? '' : `?${query}`
}

/** True if a fragment holds parameters for the app and is not a place on the page. */
export function isLandingFragment(hash: string) {
  return /[#&](?:access_token|error|error_code|error_description|message|sb)=/.test(hash)
}

let said = false

/** Marks the link's message as done: it was closed, or the user signed in another way. */
export function markLandingSaid() {
  said = true
}

export function isLandingSaid() {
  return said
}
