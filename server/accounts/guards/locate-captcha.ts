import type { Config } from '#core/config/config.ts'
import type { CaptchaSettings } from '#core/contract/accounts/auth-settings.ts'

type Captcha = Config['auth']['captcha']

/** The scripts and hosts that each provider's documentation names. */
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

/**
 * The settings that a page needs to show the captcha; null if none is required or no site key is configured.
 */
export function describeCaptcha(captcha: Captcha): CaptchaSettings | null {
  if (captcha?.siteKey === undefined) return null
  const { provider, siteKey, scriptUrl = PLACES[provider].script } = captcha
  return { provider, site_key: siteKey, script_url: scriptUrl }
}

/** The sources that the content policy must allow for it. */
export function listCaptchaSources(captcha: Captcha): readonly string[] {
  if (captcha?.siteKey === undefined) return []
  const { provider, scriptUrl } = captcha
  return scriptUrl === undefined ? PLACES[provider].sources : [new URL(scriptUrl).origin]
}
