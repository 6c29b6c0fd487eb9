import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, testApart as test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, signUpClient } from '#tests/support/browser/e2e-client.ts'

const HOUR_MS = 3_600_000
const REFRESH = '**/auth/v1/token?grant_type=refresh_token*'

test.use({ session: SIGNED_OUT })

/** Counts how often the page has asked for fresh tokens. */
function countRefreshes(page: Page): () => number {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('grant_type=refresh_token')) asked += 1
  })
  return () => asked
}

async function signInAt(page: Page): Promise<void> {
  const { email } = await signUpClient()
  await page.goto('/auth')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}

for (const [name, ahead] of [
  ['an hour fast', HOUR_MS],
  ['an hour slow', -HOUR_MS],
] as const)
  test(`a device whose clock is ${name} refreshes its session like any other`, async ({ page }) => {
    const asked = countRefreshes(page)
    await page.clock.install({ time: Date.now() + ahead })
    await signInAt(page)
    for (let minute = 0; minute < 10; minute += 1) {
      await page.clock.runFor('01:00')
      await page.mouse.move(minute, 40)
    }
    expect(asked()).toBe(0)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.clock.runFor('01:00')
    expect(asked()).toBe(0)
    for (let minute = 0; minute < 50; minute += 1) {
      await page.clock.runFor('01:00')
      await page.mouse.move(minute, 60)
    }
    await expect.poll(asked).toBe(1)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })

for (const status of [429, 408])
  test(`a refresh that is answered ${status} is repeated after the wait, and the session continues`, async ({
    page,
  }) => {
    await page.clock.install()
    await signInAt(page)
    const asked = countRefreshes(page)
    await page.route(REFRESH, (route) =>
      route.fulfill({
        status,
        headers: { 'retry-after': '90' },
        json: { code: status, msg: 'Not now' },
      }),
    )
    // The token has expired, as after a night.
    await page.evaluate(`{
    const kept = JSON.parse(localStorage.getItem('leadwire.auth'))
    localStorage.setItem('leadwire.auth', JSON.stringify({ ...kept, expires_at: Math.floor(Date.now() / 1000) - 60 }))
  }`)
    for (let turn = 0; turn < 6; turn += 1) await page.clock.runFor('00:10')
    await expect.poll(asked).toBe(1)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.unroute(REFRESH)
    const refreshed = page.waitForResponse(
      (answer) => answer.url().includes('grant_type=refresh_token') && answer.ok(),
    )
    for (let turn = 0; turn < 12; turn += 1) await page.clock.runFor('00:10')
    await refreshed
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
