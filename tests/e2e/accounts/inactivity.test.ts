import type { Page } from '@playwright/test'
import { expect, testApart as test } from '#tests/support/browser/browser.ts'
import { readEventTypes } from '#tests/support/browser/security-records.ts'

const warning = (page: Page) => page.getByRole('alert').filter({ hasText: 'Are you still there?' })
const REASON = 'Session expired due to inactivity'

async function openAndRest(page: Page) {
  await page.clock.install()
  await open(page)
}

async function open(page: Page) {
  await page.goto('/leads')
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
}

test('two minutes before an inactive session ends a warning asks the user, and any activity continues the session (check 16)', async ({
  page,
}) => {
  await openAndRest(page)
  for (const act of [() => page.mouse.move(20, 20), () => page.keyboard.press('Shift')]) {
    await page.clock.fastForward('27:00')
    await expect(warning(page)).toHaveCount(0)
    await page.clock.fastForward('02:30')
    await expect(warning(page)).toBeVisible()
    await expect(warning(page)).toContainText(/You will be signed out in 0:[0-5]\d/)
    await act()
    await expect(warning(page)).toHaveCount(0)
  }
  await page.clock.fastForward('27:00')
  await expect(warning(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})

test('after thirty minutes without activity the session ends, and the page says why (check 15)', async ({
  page,
}) => {
  await openAndRest(page)
  await page.evaluate('sessionStorage.setItem("of-this-session", "1")')
  await page.clock.fastForward('28:30')
  await expect(warning(page)).toBeVisible()
  await page.clock.fastForward('01:31')
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.getByText(REASON, { exact: true })).toBeVisible()
  expect(await page.evaluate('sessionStorage.getItem("of-this-session")')).toBeNull()
  expect(await page.evaluate('localStorage.getItem("leadwire.auth")')).toBeNull()
  expect(await readEventTypes(page)).toEqual(['login_success', 'force_logout'])
})

test('an inactive session on the page of administrators also ends at /auth', async ({ page }) => {
  await page.clock.install()
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.fastForward('30:01')
  await expect(page).toHaveURL(/\/auth\?return_to=%2Fadmin$/)
  await expect(page.getByText(REASON, { exact: true })).toBeVisible()
})

test('a machine that wakes after the limit counts as inactive', async ({ page }) => {
  await openAndRest(page)
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000))
  await page.mouse.move(30, 30)
  await page.mouse.move(40, 40)
  await page.clock.resume()
  await expect(page.getByText(REASON, { exact: true })).toBeVisible()
})

test('activity postpones the end of the session', async ({ page }) => {
  await openAndRest(page)
  for (const act of [
    () => page.mouse.move(200, 200),
    () => page.keyboard.press('Shift'),
    () => page.mouse.wheel(0, 40),
    () => page.mouse.down(),
  ]) {
    await page.clock.fastForward('20:00')
    await act()
    await page.clock.fastForward('00:02')
  }
  await page.clock.fastForward('20:00')
  await expect(warning(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})

test('activity in one tab keeps the sessions of the others', async ({ page, context }) => {
  await openAndRest(page)
  const other = await context.newPage()
  await open(other)
  // All tabs share one clock.
  await page.clock.fastForward('28:30')
  await expect(warning(page)).toBeVisible()
  await expect(warning(other)).toBeVisible()
  await other.mouse.move(20, 20)
  await expect(warning(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})

test('a session that ends in one tab ends in all, with its reason', async ({ page, context }) => {
  await openAndRest(page)
  const other = await context.newPage()
  await open(other)
  // The tabs' clocks are moved one after the other, so they cross the limit by themselves.
  await page.clock.fastForward('29:53')
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/auth/, { timeout: 30_000 })
    await expect
      .soft(
        tab.getByText(REASON, { exact: true }),
        `the reason in ${tab === page ? 'the first' : 'the other'} tab`,
      )
      .toBeVisible()
  }
  const types = await readEventTypes(page)
  expect(types.filter((type) => type === 'force_logout')).toHaveLength(1)
})

test('a user who reads without sending requests stays active for the service', async ({ page }) => {
  const known = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v1/me')
  await openAndRest(page)
  await (await known).finished()
  // A component that mounts only now would ask again, because its answer would be four minutes old.
  await expect(page.getByText('No leads yet')).toBeVisible()
  await expect(page.getByText('Add funds to start')).toBeVisible()
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/me') asked += 1
  })
  await page.clock.fastForward('04:00')
  await page.mouse.move(90, 90)
  // A leap looks like a silent stream. Two before the next stream has answered look like a server that is away, and
  // then the screen asks again.
  const followed = page.waitForResponse((response) => response.url().endsWith('/api/v1/changes'))
  await page.clock.fastForward('01:30')
  await expect.poll(() => asked).toBe(1)
  await followed
  await test.step('an inactive user does not stay signed in', async () => {
    await page.clock.fastForward('06:00')
    await page.clock.fastForward('06:00')
    await page.clock.fastForward('00:05')
    expect(asked).toBe(1)
  })
})
