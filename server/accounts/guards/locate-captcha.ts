import type { Config } from '#core/config/config.ts'
import type { CaptchaSettings } from '#core/contract/accounts/auth-settings.ts'

type Captcha = Config['auth']['captcha']

/** What each provider's documentation says that a page loads, and from where. */
const PLACES = {
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    sources: ['https://challenges.cloudflare.com'],
  },
}

/** What a page needs to show the captcha; null where none is asked, or no site key says who the page is. */
export function describeCaptcha(captcha: Captcha): CaptchaSettings | null {
  if (captcha?.siteKey === undefined) return null
  const { provider, siteKey, scriptUrl = PLACES[provider].script } = captcha
  return { provider, site_key: siteKey, script_url: scriptUrl }
}

/** What the content policy must let a page load for it. */
export function listCaptchaSources(captcha: Captcha): readonly string[] {
  if (captcha?.siteKey === undefined) return []
  const { provider, scriptUrl } = captcha
  return scriptUrl === undefined ? PLACES[provider].sources : [new URL(scriptUrl).origin]
}
