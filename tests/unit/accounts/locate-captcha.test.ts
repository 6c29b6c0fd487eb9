import { expect, test } from 'vitest'
import { describeCaptcha, listCaptchaSources } from '#server/accounts/guards/locate-captcha.ts'

const given = { secret: 'shared', url: undefined, siteKey: 'site', scriptUrl: undefined }

test('hCaptcha and Turnstile are loaded from the addresses in their documentation', () => {
  const hcaptcha = { ...given, provider: 'hcaptcha' } as const
  expect(describeCaptcha(hcaptcha)).toEqual({
    provider: 'hcaptcha',
    site_key: 'site',
    script_url: 'https://js.hcaptcha.com/1/api.js',
  })
  expect(listCaptchaSources(hcaptcha)).toEqual(['https://hcaptcha.com', 'https://*.hcaptcha.com'])
  const turnstile = { ...given, provider: 'turnstile' } as const
  expect(describeCaptcha(turnstile)?.script_url).toBe('https://challenges.cloudflare.com/turnstile/v0/api.js')
  expect(listCaptchaSources(turnstile)).toEqual(['https://challenges.cloudflare.com'])
})

test('without a site key, no page shows a captcha and the content policy stays the same', () => {
  const programsOnly = { ...given, provider: 'turnstile', siteKey: undefined } as const
  expect(describeCaptcha(programsOnly)).toBeNull()
  expect(listCaptchaSources(programsOnly)).toEqual([])
  expect(describeCaptcha(undefined)).toBeNull()
})

test('a script at another address is allowed from its own origin only', () => {
  const elsewhere = { ...given, provider: 'hcaptcha', scriptUrl: 'http://127.0.0.1:9/a/api.js' } as const
  expect(listCaptchaSources(elsewhere)).toEqual(['http://127.0.0.1:9'])
})
