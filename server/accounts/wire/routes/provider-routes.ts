import { Router, type Request, type Response } from 'express'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { AuthError } from '../auth-error.ts'
import { readCaller } from '#server/identity/caller.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { beginOAuth, callbackUrl } from '#server/accounts/providers/begin-oauth.ts'
import {
  bindToBrowser,
  isBrowser,
  mintBrowserSecret,
  takeBrowserSecret,
} from '#server/accounts/providers/bind-to-browser.ts'
import { withOAuthError } from '#server/accounts/providers/end-flow.ts'
import { endOAuth } from '#server/accounts/providers/end-oauth.ts'
import { readForm, receiveBody } from '../read-body.ts'
import { readWish } from '../read-wish.ts'

const LONGEST_MEMBER = 4096

/** Sign-in with another company's account: OAuth 2 and OpenID Connect. */
export function providerRoutes(context: AuthContext): Router {
  const router = Router()
  router.get('/authorize', async (request, response) => {
    const wish = readWish(context, request)
    const home = findHome(context, request, wish.redirectTo)
    if (home !== undefined) {
      response.redirect(302, home)
      return
    }
    try {
      // Rate-limited, because each request stores a row: a person begins a few times, a program as often as
      // it may.
      await context.accounts.rates.spend('token', `authorize ${readCaller(request).network}`)
      const { secret, browser_hash } = mintBrowserSecret()
      const { url, state } = await beginOAuth(context, { ...wish, browser_hash })
      bindToBrowser(context, { request, response }, { state, secret })
      response.redirect(302, url)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      // A person waits at this address: redirect to the page with the error, which can explain it.
      response.redirect(302, withOAuthError({ ...wish, isPkce: wish.pkce !== undefined }, error))
    }
  })

  router.get('/callback', async (request, response) => {
    const { searchParams } = new URL(request.originalUrl, context.config.http.apiUrl)
    response.redirect(302, await end(searchParams, { request, response }))
  })

  // response_mode=form_post
  router.post('/callback', receiveBody, async (request, response) => {
    const form = readForm(request)
    // This post comes from another site, so the browser sends no cookie with it; it does send the cookie
    // after a redirect.
    if (isBrowser(request)) response.redirect(303, `${callbackUrl(context)}?${pick(form).toString()}`)
    else response.redirect(302, await end(form, { request, response }))
  })

  async function end(
    answer: URLSearchParams,
    exchange: { request: Request; response: Response },
  ): Promise<string> {
    const { request } = exchange
    const secret = takeBrowserSecret(context, exchange, answer.get('state') ?? '')
    return await endOAuth(context, answer, {
      caller: readCaller(request),
      browser: isBrowser(request) ? { secret } : undefined,
    })
  }
  return router
}

/**
 * The address of the same request at the service's own name, if a browser used another name. The provider returns the
 * person to the service's own name, where a cookie of another name would be missing. Redirects once only: behind a
 * proxy that renames hosts no name matches.
 */
function findHome(context: AuthContext, request: Request, redirectTo: string): string | undefined {
  const home = new URL(`${issuerOf(context)}/authorize`)
  if (!isBrowser(request) || request.host === home.host || request.query['home'] !== undefined)
    return undefined
  home.search = new URL(request.originalUrl, home).search
  home.searchParams.set('redirect_to', redirectTo)
  home.searchParams.set('home', '1')
  return home.href
}

/** The members of a provider's answer, shortened to what an address may carry. */
function pick(form: URLSearchParams): URLSearchParams {
  const known = ['code', 'state', 'iss', 'error', 'error_description']
  return new URLSearchParams(
    [...form].filter(([name, value]) => known.includes(name) && value.length <= LONGEST_MEMBER),
  )
}
