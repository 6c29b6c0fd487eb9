import type { Page } from '@playwright/test'
import { dismissToasts, expect, testApart as test, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { translatePage } from '#tests/support/browser/translate-page.ts'

const SCREENS = [
  '/dashboard',
  '/leads',
  '/analytics',
  '/enterprise-dashboard',
  '/client-integrations?view=configure',
  '/orders',
  '/onboarding',
  '/settings?tab=profile',
  '/settings?tab=security',
  '/settings?tab=billing',
  '/help',
]
const FAILED = /Application Error|Something went wrong/

/** Clicks every control of a screen, one after the other, and closes whatever opens. */
async function pressAll(page: Page, screen: string): Promise<void> {
  await page.goto(screen)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  const found = page.locator('main').locator('button:visible, [role=tab]:visible, [role=switch]:visible')
  const count = Math.min(await found.count(), 14)
  for (let index = 0; index < count; index += 1) {
    // The previous click may have removed this control.
    await found
      .nth(index)
      .click({ timeout: 1_500 })
      .catch(() => undefined)
    await expect(page.getByText(FAILED), `${screen}, press ${index + 1}`).toHaveCount(0)
    await page.keyboard.press('Escape')
    const leave = page.getByRole('alertdialog').getByRole('button', { name: /discard|leave/i })
    if (await leave.isVisible()) await leave.click()
    if (!page.url().includes(screen.split('?')[0] ?? '')) await page.goto(screen)
  }
}

test('every screen works while the browser translates it', async ({ page, client }) => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await client.receiveLeads([{ name: 'Zoe Quill', email: 'zoe@example.com', phone: '+12025550143' }])
  await page.goto('/dashboard')
  await translatePage(page)
  await expect(page.locator('main font').first()).toBeVisible()
  for (const screen of SCREENS) await pressAll(page, screen)
  expect(faults).toEqual([])
})

test('a translated page shows changes: a running test, a lead’s notes, figures', async ({ page, client }) => {
  await client.receiveLeads([{ name: 'Zoe Quill', email: 'zoe@example.com', phone: '+12025550143' }])
  await page.goto('/client-integrations')
  await translatePage(page)

  await page.getByRole('button', { name: 'Run Assignment Test' }).click()
  await expect(
    toast(page, 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run Assignment Test' })).toBeVisible()
  await dismissToasts(page)

  await page.goto('/leads')
  await page.getByRole('link', { name: /Zoe Quill/ }).click()
  await page.getByRole('textbox', { name: 'Notes' }).fill('Calls after eight')
  await page.getByRole('button', { name: 'Save notes' }).click()
  await expect(toast(page, 'Notes saved')).toBeVisible()
})

test('sign-in works while the browser translates it', async ({ page, context }) => {
  await context.clearCookies()
  await page.goto('/auth')
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await translatePage(page)
  const { email } = await signUpClient()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})
