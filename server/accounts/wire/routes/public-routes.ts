import { Router } from 'express'
import type { AuthContext } from '#server/accounts/auth-context.ts'
import { describeCaptcha } from '#server/accounts/guards/locate-captcha.ts'

/** Public calls: the service's health, its public keys, its settings. */
export function publicRoutes(context: AuthContext): Router {
  const router = Router()
  const { auth } = context.config

  router.get('/health', (_request, response) => {
    response.json({ version: 'v1', name: 'Leadwire Auth', description: 'Accounts and sessions of Leadwire' })
  })

  router.get('/settings', (request, response, next) => {
    // If the service is mounted at the root, the web app has a screen of this name, and a browser that opens
    // it asks for a page.
    if (auth.mountPath === '' && request.accepts(['json', 'html']) === 'html') {
      next()
      return
    }
    const providers = Object.entries(auth.providers)
    const external = providers
      .filter(([, { type }]) => type !== 'saml')
      .map(([name]): [string, boolean] => [name, true])
    response.json({
      external: {
        ...(Object.fromEntries(external) as Record<string, boolean>),
        email: auth.email.isEnabled,
        phone: auth.phone.isEnabled,
        anonymous_users: auth.anonymousUsers,
      },
      disable_signup: auth.isSignupDisabled,
      mailer_autoconfirm: auth.email.autoconfirm,
      phone_autoconfirm: auth.phone.autoconfirm,
      sms_provider: auth.sms?.provider ?? '',
      saml_enabled: providers.some(([, { type }]) => type === 'saml'),
      mfa_enabled: auth.mfa.totp || auth.mfa.phone,
      // Not part of the wire: the product's own screens read it.
      manual_linking: auth.manualLinking,
      mfa_totp: auth.mfa.totp,
      mfa_phone: auth.mfa.phone && (auth.sms !== undefined || auth.testOtp.size > 0),
      captcha: describeCaptcha(auth.captcha),
    })
  })

  router.get('/.well-known/jwks.json', (_request, response) => {
    const keys = context.identity.keys.all.flatMap(({ publicJwk }) =>
      publicJwk === undefined ? [] : [publicJwk],
    )
    response.set('Cache-Control', 'public, max-age=600').json({ keys })
  })
  return router
}
