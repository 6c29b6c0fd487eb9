import { Router, type Request } from 'express'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../auth-error.ts'
import { readCaller } from '../caller.ts'
import { beginOAuth, findProvider } from '../providers/begin-oauth.ts'
import { withOAuthError } from '../providers/end-flow.ts'
import { endOAuth } from '../providers/end-oauth.ts'
import { receiveBody } from '../read-body.ts'
import { readPkce } from '../read-pkce.ts'
import { readRedirect } from '../read-redirect.ts'

/** Sign-in by another company's account, OAuth 2 and OpenID Connect. */
export function providerRoutes(context: AuthContext): Router {
  const router = Router()
  router.get('/authorize', async (request, response) => {
    const wish = { ...readWish(context, request), linkingUserId: null }
    try {
      // Each leaves a row behind; a person begins a few times, a program as often as it may.
      await context.rates.spend('token', `authorize ${readCaller(request).network}`)
      response.redirect(302, await beginOAuth(context, wish))
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      // A person waits at this address: back to the page with it, which can say it in words.
      response.redirect(302, withOAuthError({ ...wish, isPkce: wish.pkce !== undefined }, error))
    }
  })

  router.get('/callback', async (request, response) => {
    const { searchParams } = new URL(request.originalUrl, context.config.http.publicUrl)
    response.redirect(302, await endOAuth(context, searchParams, readCaller(request)))
  })

  // response_mode=form_post
  router.post('/callback', receiveBody, async (request, response) => {
    const body: unknown = request.body
    const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')
    response.redirect(302, await endOAuth(context, form, readCaller(request)))
  })
  return router
}

/** What `/authorize` and `/user/identities/authorize` are asked alike. */
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
