import type { ServerContext } from '#server/context.ts'
import type { CaptchaServer } from '#tests/support/peers/captcha-server.ts'

/** The site key for which {@link CaptchaServer} is started. */
export const SITE_KEY = 'site-of-leadwire'

/** The context of a server that asks for a captcha. */
export function withCaptcha(context: ServerContext, { url }: Pick<CaptchaServer, 'url'>): ServerContext {
  const { config } = context
  const captcha = {
    provider: 'turnstile',
    secret: 'shared',
    url: `${url}/siteverify`,
    siteKey: SITE_KEY,
    scriptUrl: undefined,
  } as const
  return { ...context, config: { ...config, auth: { ...config.auth, captcha } } }
}
