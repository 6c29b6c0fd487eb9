import type { Response } from 'express'
import type { AuthContext } from '../auth-context.ts'

/** Whether cookies are set for HTTPS only: decided by the address at which people sign in. */
export function isSecure({ config }: Pick<AuthContext, 'config'>): boolean {
  return config.http.apiUrl.startsWith('https:')
}

/** `__Host-` keeps neighbouring subdomains from setting such a cookie. */
export function hostPrefix(context: Pick<AuthContext, 'config'>): string {
  return isSecure(context) ? '__Host-' : ''
}

/** Sets a cookie that scripts cannot read; with 0 seconds it is removed. */
export function setCookie(
  context: Pick<AuthContext, 'config'>,
  response: Response,
  { name, value, seconds, site }: { name: string; value: string; seconds: number; site: 'Lax' | 'Strict' },
): void {
  const secure = isSecure(context) ? '; Secure' : ''
  response.append(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${site}${secure}`,
  )
}
