import type { Request } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { chooseRedirect } from './choose-redirect.ts'

/**
 * Where the request wants the person to end: header or query `redirect_to`, else the page it comes from, else the app. What is
 * not allowed is silently replaced by the next.
 */
export function readRedirect({ config }: Pick<AuthContext, 'config'>, request: Request): string {
  const rules = { siteUrl: config.http.publicUrl, allowed: config.auth.redirectAllowList }
  const { redirect_to: query } = request.query
  const wanted = [
    request.get('redirect_to') ?? (typeof query === 'string' ? query : ''),
    request.get('Referer') ?? '',
  ]
  return (
    wanted.find((url) => url !== '' && chooseRedirect(url, rules) === url) ?? chooseRedirect(undefined, rules)
  )
}
