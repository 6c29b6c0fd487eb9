import type { AuthError } from './auth-error.ts'

type Members = Readonly<Record<string, string | number | undefined>>

/** RFC 6749 §4.1.2.1: the error's name, by the status that the refusal would have had. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/**
 * The address with a session in its fragment (implicit flow). `sb` marks it as ours, so that a page
 * recognises it.
 */
export function withFragment(redirectTo: string, members: Members): string {
  const [base = ''] = redirectTo.split('#', 1)
  return `${base}#${encode({ ...members, sb: '' })}`
}

/** The address with a code added to its query (PKCE). */
export function withQuery(redirectTo: string, members: Members): string {
  const url = new URL(redirectTo)
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

/** Tells the page behind a link what went wrong: in the fragment, and under PKCE in the query too. */
export function withError(
  redirectTo: string,
  error: Pick<AuthError, 'status' | 'code' | 'message'>,
  { isPkce }: { isPkce: boolean },
): string {
  const members = {
    error: ERRORS[error.status],
    error_code: error.code,
    error_description: error.message,
  }
  return withFragment(isPkce ? withQuery(redirectTo, members) : redirectTo, members)
}

function encode(members: Members): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
}
