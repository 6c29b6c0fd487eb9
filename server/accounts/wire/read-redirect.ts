import type { Request } from 'express'
import { APP_PATHS } from '#core/contract/paths.ts'
import type { AuthContext } from '../auth-context.ts'
import { chooseRedirect } from './choose-redirect.ts'

/**
 * Where the request wants the person to end: what its body says (where that may say it), header or query `redirect_to`, else the
 * page it comes from, else the app. What is not allowed is silently replaced by the next.
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

/** The page whose button opens a mail's link is no place to end: it would only offer the same link again. */
function readReferer(request: Request): string {
  const referer = request.get('Referer') ?? ''
  return URL.parse(referer)?.pathname === APP_PATHS.openLink ? '' : referer
}

/** A link of ours may hold the address as it is; then its own escapes (`%20`, `+`) are not the query's. */
function readUnescaped(url: string): string {
  return /[?&]redirect_to=([^&#]*)/.exec(url)?.[1] ?? ''
}
