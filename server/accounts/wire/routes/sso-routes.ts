import { Router, type RequestHandler } from 'express'
import { z } from 'zod'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { readCaller } from '#server/identity/caller.ts'
import { chooseRedirect } from '../choose-redirect.ts'
import { readBody, readForm, receiveBody } from '../read-body.ts'
import { readPkce } from '#server/accounts/sessions/read-pkce.ts'
import { requireCaptcha } from '#server/accounts/guards/require-captcha.ts'
import { beginSso, findCompany } from '#server/accounts/providers/saml/begin-sso.ts'
import { endSso } from '#server/accounts/providers/saml/end-sso.ts'
import { requireSaml, samlUrls } from '#server/accounts/providers/saml/open-saml.ts'

const ssoBody = z.object({
  provider_id: z.string().default(''),
  domain: z.string().default(''),
  redirect_to: z.string().default(''),
  skip_http_redirect: z.boolean().default(false),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
})

/** Sign-in by a company's own identity provider (SAML 2.0), off until one is configured. */
export function ssoRoutes(context: AuthContext): Router {
  const router = Router()
  // Runs before any body is read: the wire's clients send bodies that a service without SAML could not parse.
  const onlyIfOn: RequestHandler = (_request, _response, next) => {
    requireSaml(context)
    next()
  }

  router.post('/sso', onlyIfOn, receiveBody, async (request, response) => {
    const caller = readCaller(request)
    await context.accounts.rates.spend('sso', caller.network)
    await requireCaptcha(context, request, caller)
    const body = readBody(request, ssoBody)
    const company = findCompany(context, body)
    const { http, auth } = context.config
    const rules = { siteUrl: http.publicUrl, allowed: auth.redirectAllowList }
    const redirectTo = chooseRedirect(body.redirect_to, rules)
    const url = await beginSso(context, company, { redirectTo, pkce: readPkce(body) })
    if (body.skip_http_redirect) response.json({ url })
    else response.redirect(303, url)
  })

  router.post('/sso/saml/acs', onlyIfOn, receiveBody, async (request, response) => {
    const caller = readCaller(request)
    await context.accounts.rates.spend('sso', `acs ${caller.network}`)
    const form = readForm(request)
    response.redirect(303, await endSso(context, form, caller))
  })

  router.get('/sso/saml/metadata', onlyIfOn, async (_request, response) => {
    const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
    const { entityId, acs } = samlUrls(context)
    const xml = generateServiceProviderMetadata({
      issuer: entityId,
      callbackUrl: acs,
      wantAssertionsSigned: true,
    })
    response.type('application/samlmetadata+xml').send(xml)
  })
  return router
}
