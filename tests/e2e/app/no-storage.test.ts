import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, testApart as test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, signUpClient } from '#tests/support/browser/e2e-client.ts'

test.use({ session: SIGNED_OUT })

const DENIED = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException('Access is denied', 'SecurityError') } })`
const FULL = `Storage.prototype.setItem = () => { throw new DOMException('exceeded the quota', 'QuotaExceededError') }`
/** Android's web views have no storage unless their app asks for it. */
const NONE = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { configurable: true, value: null })`
/** Firefox throws like this if its files are damaged. */
const DAMAGED = `for (const name of ['getItem', 'setItem', 'removeItem', 'key', 'clear'])
  Storage.prototype[name] = () => { throw new DOMException('', 'NS_ERROR_FILE_CORRUPTED') }`

const WAYS = [
  { name: 'denies storage', script: DENIED, words: 'This browser stores nothing for Leadwire' },
  { name: 'has no storage', script: NONE, words: 'This browser stores nothing for Leadwire' },
  { name: 'cannot read its storage', script: DAMAGED, words: 'This browser stores nothing for Leadwire' },
  { name: 'has no room left', script: FULL, words: 'This browser has no storage left for Leadwire' },
]

async function signIn(page: Page) {
  const { email } = await signUpClient()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

for (const { name, script, words } of WAYS)
  test(`a browser that ${name} shows every screen, and says that nothing is stored`, async ({ page }) => {
    await page.addInitScript(script)
    await page.goto('/secure-signup')
    await expect(page.getByRole('heading', { level: 1, name: 'Secure sign-up' })).toBeVisible()
    await page.goto('/posting-specs/no-such-link')
    await expect(page.getByText(/link/i).first()).toBeVisible()
    await page.goto('/auth?return_to=/leads')
    await signIn(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
    await expect(page.getByText(words)).toBeVisible()
    for (const screen of ['Dashboard', 'Analytics', 'Integrations']) {
      await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).first().click()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  })
