import type { Request } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { findProvider } from '../providers/begin-oauth.ts'
import { readPkce } from '../sessions/read-pkce.ts'
import { readRedirect } from './read-redirect.ts'

/** The parameters that `/authorize` and `/user/identities/authorize` share. */
export function readWish(context: AuthContext, request: Request) {
  const { query } = request
  const text = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    provider: findProvider(context, text('provider')),
    scopes: text('scopes'),
    redirectTo: readRedirect(context, request),
    pkce: readPkce({
      code_challenge: text('code_challenge'),
      code_challenge_method: text('code_challenge_method'),
    }),
    query,
  }
}
