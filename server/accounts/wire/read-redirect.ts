import type { Request } from 'express'
import { APP_PATHS } from '#core/contract/paths.ts'
import type { AuthContext } from '../auth-context.ts'
import { chooseRedirect } from './choose-redirect.ts'

/**
 * The address to which the request asks to redirect the person. The first of these that it has: the one in its body (if
 * it may have one), header or query `redirect_to`, the referring page, the app. An address that is not allowed is
 * silently replaced by the next one.
 */
export function readRedirect({ config }: Pick<AuthContext, 'config'>, request: Request, inBody = ''): string {
  const rules = { siteUrl: config.http.publicUrl, allowed: config.auth.redirectAllowList }
  const { redirect_to: query } = request.query
  const wanted = [
    inBody,
    request.get('redirect_to') ?? (typeof query === 'string' ? query : ''),
    readUnescaped(request.originalUrl),
    readReferer(request),
  ]
  return (
    wanted.find((url) => url !== '' && chooseRedirect(url, rules) === url) ?? chooseRedirect(undefined, rules)
  )
}

/** Ignores the page whose button opens a mail's link: it would only offer the same link again. */
function readReferer(request: Request): string {
  const referer = request.get('Referer') ?? ''
  return URL.parse(referer)?.pathname === APP_PATHS.openLink ? '' : referer
}

/** Our links may hold the address unescaped; then its own escapes (`%20`, `+`) do not belong to the query. */
function readUnescaped(url: string): string {
  return /[?&]redirect_to=([^&#]*)/.exec(url)?.[1] ?? ''
}
