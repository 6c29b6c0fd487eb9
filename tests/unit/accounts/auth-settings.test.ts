import { expect, test } from 'vitest'
import { listProviders, readAuthSettings } from '#core/contract/accounts/auth-settings.ts'

const captcha = { provider: 'turnstile', site_key: 'key', script_url: 'https://captcha.example.com/api.js' }
const full = {
  external: { email: true, phone: false, github: true, acme: false },
  manual_linking: true,
  mfa_totp: false,
  mfa_phone: true,
  captcha,
}

test('reads the settings of the authentication service; an older service may leave some out', () => {
  expect(readAuthSettings({ ...full, saml_enabled: true })).toEqual(full)
  expect(readAuthSettings({ external: {} })).toEqual({
    external: {},
    manual_linking: false,
    mfa_totp: true,
    mfa_phone: false,
    captcha: null,
  })
  expect(listProviders(full)).toEqual(['github'])
})

test.each([
  undefined,
  null,
  'down for maintenance',
  [],
  {},
  { external: [] },
  { external: { github: 'yes' } },
  { ...full, mfa_totp: 'yes' },
  { ...full, manual_linking: null },
  { ...full, captcha: { ...captcha, provider: 'another' } },
  { ...full, captcha: { ...captcha, script_url: 'no address' } },
  { ...full, captcha: [] },
])('refuses an answer of another shape: %j', (answer) => {
  expect(readAuthSettings(answer)).toBeNull()
})
