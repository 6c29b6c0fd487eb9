/** A record that a page keeps in its visitor's browser. */
export interface StoredRecord {
  key: string
  place: 'local storage' | 'session storage' | 'cookie'
  /** its content and purpose */
  purpose: string
  /** when it is removed */
  until: string
}

const TAB = 'the tab is closed'

/**
 * All records (docs/product.md §3, in the browser). The cookie policy shows this list, and a test compares it with the
 * code.
 */
export const BROWSER_STORAGE: readonly StoredRecord[] = [
  {
    key: 'leadwire.auth',
    place: 'local storage',
    purpose: 'the session: who is signed in, and the tokens that prove it',
    until: 'you sign out, or the session ends',
  },
  {
    key: 'leadwire.seen-session',
    place: 'local storage',
    purpose: 'the id of the session that this browser has noted, so that it is noted once',
    until: 'you sign out',
  },
  {
    key: 'leadwire.last-activity',
    place: 'local storage',
    purpose: 'when you last did something in any tab: after 30 minutes you are signed out',
    until: 'you sign out',
  },
  {
    key: 'leadwire.rested',
    place: 'local storage',
    purpose: 'that a session ended after inactivity, so that every tab says so',
    until: 'you sign in again',
  },
  {
    key: 'concurrent_sessions',
    place: 'local storage',
    purpose:
      'the sessions of each account in this browser: id, time, 50 characters of the user agent; at most three',
    until: 'it ends, or is older than a day at the next sign-in',
  },
  {
    key: 'security_events',
    place: 'local storage',
    purpose: 'sign-ins and other security events: kind, time, page, user agent; at most 1,000',
    until: 'newer ones take its place',
  },
  {
    key: 'leadwire.view-as',
    place: 'session storage',
    purpose: 'for administrators: the client whose screens this tab shows',
    until: TAB,
  },
  {
    key: 'leadwire.invitation',
    place: 'session storage',
    purpose: 'the invitation to an account that you opened, so that you can sign in before you accept it',
    until: `you accept it, or ${TAB}`,
  },
  {
    key: 'leadwire.theme',
    place: 'local storage',
    purpose: 'light or dark, if you chose one',
    until: 'you choose the system theme',
  },
  {
    key: 'leadwire.scroll',
    place: 'session storage',
    purpose: 'how far down each page was, for Back and a reload',
    until: 'the tab is closed',
  },
  {
    key: 'leadwire.sidebar-narrow',
    place: 'local storage',
    purpose: 'whether the sidebar is narrow',
    until: 'you clear it',
  },
  {
    key: 'leadwire.plain-template',
    place: 'local storage',
    purpose: 'whether you write payload templates in a plain field',
    until: 'you clear it',
  },
  {
    key: 'leadwire.lead-columns-hidden',
    place: 'local storage',
    purpose: 'the columns that you hide in the list of leads',
    until: 'you clear it',
  },
  {
    key: 'session_security',
    place: 'session storage',
    purpose:
      'the session of this tab: account, sign-in, last activity, 100 characters of the user agent, a fingerprint that never leaves the browser',
    until: `you sign out, or ${TAB}`,
  },
  {
    key: 'csrf_token',
    place: 'session storage',
    purpose: 'a random token against forged requests',
    until: TAB,
  },
  {
    key: 'client_id',
    place: 'session storage',
    purpose: 'a random name of this tab, in security events',
    until: TAB,
  },
  {
    key: 'otp_…',
    place: 'session storage',
    purpose:
      'that a code was sent to this email address, when, and how often it was mistyped; never the code',
    until: `the code is used or has expired, or ${TAB}`,
  },
  {
    key: 'leadwire.login-limiter',
    place: 'session storage',
    purpose: 'how often signing in failed, and when',
    until: TAB,
  },
  {
    key: 'leadwire.password-reason',
    place: 'session storage',
    purpose: 'that a link asked you to choose a new password',
    until: `you chose it, or ${TAB}`,
  },
  {
    key: 'leadwire.provider-flow',
    place: 'session storage',
    purpose: 'the sign-in that you began at a provider, to complete it when you come back',
    until: `you come back, or ${TAB}`,
  },
  {
    key: 'leadwire.reloaded-for',
    place: 'session storage',
    purpose: 'the page that was reloaded after an update, so that it happens only once',
    until: TAB,
  },
  {
    key: 'leadwire.notice',
    place: 'session storage',
    purpose: 'one sentence for the next page, such as “Signed out successfully”',
    until: 'it was shown',
  },
  {
    key: 'leadwire_flow_…',
    place: 'cookie',
    purpose:
      'a secret of the sign-in that you began at a provider, so that nobody else can complete it; scripts cannot read it',
    until: 'you come back, or 5 minutes have passed',
  },
  {
    key: 'leadwire_device_…',
    place: 'cookie',
    purpose:
      'that you signed in with this browser, one for each account, so that wrong passwords of strangers do not keep you out; scripts cannot read it',
    until: '90 days after you last used it',
  },
  {
    key: 'leadwire_queues',
    place: 'cookie',
    purpose: 'for administrators: access to the queue dashboard; scripts cannot read it',
    until: '15 minutes have passed',
  },
]
