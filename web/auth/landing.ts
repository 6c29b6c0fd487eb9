/** How the browser came here: by a mail's link or a provider, which leave their word in the fragment. */
export interface Landing {
  /** signup, recovery, magiclink, invite, email_change; null where no link led here */
  type: string | null
  /** the access token that the link brought; whoever was signed in before has another */
  token: string | null
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

export function readLanding({ search, hash }: { search: string; hash: string }): Landing {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const query = new URLSearchParams(search)
  const read = (name: string) => fragment.get(name) ?? query.get(name)
  const failed = read('error_code') !== null || read('error_description') !== null
  const code = read('error_code') ?? ''
  return {
    type: fragment.has('access_token') ? fragment.get('type') : null,
    token: fragment.get('access_token'),
    error: failed ? (Object.hasOwn(ERRORS, code) ? (ERRORS[code] ?? OTHER_ERROR) : OTHER_ERROR) : null,
    message: fragment.get('message') === HALF_CHANGED ? HALF_CHANGED : null,
  }
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
