import type { Locator } from '@playwright/test'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { expect, failRequests, holdRequests, test, testApart, toast } from '#tests/support/browser/browser.ts'

test('the sidebar leads to the screens, counts unread leads and shows the balance', async ({
  page,
  client,
}) => {
  await client.receiveLeads([
    { name: 'Robin Sample', email: 'robin@example.com', state: 'TX' },
    { name: 'Jamie Sample', email: 'jamie@example.com', state: 'TX' },
  ])
  await runSql('update profiles set balance = 1234567.5 where user_id = $1', [client.id])
  await page.goto('/leads')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  const navigation = sidebar.getByRole('navigation', { name: 'Main' })
  const links = navigation.getByRole('link')

  await test.step('the entries of the sidebar have the order of the specification', async () => {
    await expect(links).toHaveText([
      'Dashboard',
      /^Leads/,
      'Analytics',
      /^AI Analytics/,
      /^AI Settings/,
      'Integrations',
    ])
    await expect(navigation.getByRole('link', { name: 'Integrations' })).toHaveAttribute(
      'href',
      '/client-integrations',
    )
  })

  await test.step('a badge shows the unread leads while there are any (check 2)', async () => {
    await expect(navigation.getByRole('link', { name: 'Leads 2 unread' })).toBeVisible()
    for (const name of ['Robin Sample', 'Jamie Sample']) {
      await page.getByRole('table', { name: 'Leads' }).getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Leads' }).click()
    }
    await expect(navigation.getByRole('link', { name: 'Leads', exact: true })).toBeVisible()
    await expect(navigation.getByText('unread')).toHaveCount(0)
  })

  await test.step('AI Analytics and AI Settings are greyed, marked Soon and lead nowhere, also by Enter (check 3)', async () => {
    for (const name of ['AI Analytics Soon', 'AI Settings Soon']) {
      const entry = navigation.getByRole('link', { name })
      await expect(entry).toHaveAttribute('aria-disabled', 'true')
      await expect(entry.getByText('Soon', { exact: true })).toBeVisible()
      await entry.click({ force: true })
      await entry.press('Enter')
      await expect(page).toHaveURL(/\/leads$/)
    }
    const color = (name: string) => colorOf(navigation.getByRole('link', { name }))
    expect(await color('AI Analytics Soon')).not.toBe(await color('Integrations'))
  })

  await test.step('Settings and Help are at the bottom, and Help leads to its answers', async () => {
    await sidebar.getByRole('link', { name: 'Help' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
    await page.getByRole('link', { name: 'How do I return a lead?' }).click()
    await expect(page).toHaveURL(/\/help#returns$/)
    await expect(page.locator('#returns')).toContainText('within 7 days')
    await navigation.getByRole('link', { name: 'Leads' }).first().click()
  })

  await test.step('the active link is highlighted', async () => {
    const leads = navigation.getByRole('link', { name: 'Leads' })
    const integrations = navigation.getByRole('link', { name: 'Integrations' })
    await expect(leads).toHaveAttribute('aria-current', 'page')
    await integrations.click()
    await expect(integrations).toHaveAttribute('aria-current', 'page')
    await expect(leads).not.toHaveAttribute('aria-current')
    await page.getByRole('heading', { level: 1 }).hover()
    await expect.poll(() => colorOf(integrations)).not.toBe(await colorOf(leads))
  })

  await test.step('the sidebar is 16rem wide with the balance, and 4rem narrow without it, with its links still named (check 1)', async () => {
    await expect(sidebar).toHaveCSS('width', '256px')
    await expect(sidebar.getByText('$1,234,567.50', { exact: true })).toBeVisible()
    await sidebar.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect(sidebar).toHaveCSS('width', '64px')
    await expect(sidebar.getByText('$1,234,567.50')).toHaveCount(0)
    await expect(navigation.getByRole('link', { name: 'Integrations', exact: true })).toBeVisible()
    await page.reload()
    await expect(sidebar).toHaveCSS('width', '64px')
    await sidebar.getByRole('button', { name: 'Expand sidebar' }).click()
    await expect(sidebar).toHaveCSS('width', '256px')
  })
})

testApart(
  'Coming soon shows over an AI entry after 700 ms, and at once over the next one (check 3)',
  async ({ page }) => {
    await page.clock.install()
    await page.goto('/client-integrations')
    const entry = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
    const tooltip = page.getByRole('tooltip', { name: 'Coming soon' })
    await expect(entry('Integrations')).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await entry('AI Analytics').hover()
    await page.clock.runFor(650)
    await expect(tooltip).toHaveCount(0)
    await page.clock.runFor(100)
    await expect(tooltip).toBeVisible()
    await entry('AI Settings').hover()
    await page.clock.runFor(100)
    await expect(entry('AI Settings')).toHaveAccessibleDescription('Coming soon')
  },
)

test('the bell is empty and the profile menu names the account and signs out (check 6)', async ({
  page,
  client,
}) => {
  await runSql("update profiles set name = 'Morgan Example' where user_id = $1", [client.id])
  await page.goto('/client-integrations')

  await test.step('the list of notifications is empty and there is no dot', async () => {
    const bell = page.getByRole('button', { name: 'Notifications' })
    await expect(bell).toHaveText('')
    await bell.click()
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText('No notifications')
    await page.keyboard.press('Escape')
  })

  const profile = page.getByRole('button', { name: 'Profile' })
  await test.step('the profile menu shows initial, name and email', async () => {
    await expect(profile).toHaveText('M')
    await profile.click()
    await expect(page.getByRole('menu')).toContainText('Morgan Example')
    await expect(page.getByRole('menu')).toContainText(client.email)
  })

  await test.step('a sign-out that fails shows a message, and the user stays signed in', async () => {
    const failing = await failRequests(page, '**/auth/v1/logout**')
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(toast(page, 'Error signing out')).toBeVisible()
    await expect(page).toHaveURL(/\/client-integrations$/)
    await failing.end()
  })

  await test.step('Sign Out ends the session and goes to /', async () => {
    await profile.click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(toast(page, 'Signed out successfully')).toBeVisible()
    await expect(page).toHaveURL((url) => url.pathname === '/')
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    await page.goto('/leads')
    await expect(page).toHaveURL(/\/auth\?return_to=%2Fleads$/)
  })
})

/** Structural, because the tests are checked without the browser's types. */
interface Painted {
  ownerDocument: { defaultView: { getComputedStyle: (element: Painted) => { color: string } } }
}

function colorOf(locator: Locator): Promise<string> {
  return locator.evaluate(
    (element: Painted) => element.ownerDocument.defaultView.getComputedStyle(element).color,
  )
}

test('the profile menu does not move when the name arrives', async ({ page }) => {
  const release = await holdRequests(page, '**/api/v1/me')
  await page.goto('/client-integrations')
  await page.getByRole('button', { name: 'Profile' }).click()
  const signOut = page.getByRole('menuitem', { name: 'Sign Out' })
  await signOut.hover()
  const before = await signOut.boundingBox()
  await release()
  await expect(page.getByRole('menu').getByRole('paragraph')).toHaveCount(2)
  expect((await signOut.boundingBox())?.y).toBe(before?.y)
})

test('toasts show at the bottom right, and an open dialog on a phone makes room for them', async ({
  page,
}) => {
  await failRequests(page, '**/api/v1/webhook-configs', ['POST'])
  await page.goto('/client-integrations?view=configure')
  await page.getByRole('button', { name: 'Create Your First Webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Webhook Configuration' })
  await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('Refused')
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/refused')
  await page.setViewportSize({ width: 390, height: 844 })
  const create = dialog.getByRole('button', { name: 'Create', exact: true })
  await create.click()
  const failed = toast(page, 'Failed to save webhook configuration')
  await expect(failed).toBeVisible()
  const card = page.getByRole('group').filter({ hasText: 'Failed to save' })
  const bottomOf = async (of: Locator) =>
    await of.boundingBox().then((box) => (box?.y ?? 0) + (box?.height ?? 0))
  const topOfCard = async () => (await card.boundingBox())?.y ?? 0
  await expect.poll(async () => (await topOfCard()) - (await bottomOf(create))).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await bottomOf(card)).toBe(784)
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failed).toHaveCount(0)
})

test.describe('in a browser of Germany, in Tokyo', () => {
  testApart.use({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' })

  testApart(
    'money keeps its format, and times are local with UTC beside them (check 27)',
    async ({ page, client }) => {
      await runSql('update profiles set balance = 1234.5 where user_id = $1', [client.id])
      const [lead] = await client.receiveLeads([{ name: 'Robin Sample', phone: '+15125550144', state: 'TX' }])
      await page.goto(`/leads/${lead}`)
      await expect(page.getByRole('complementary').getByText('$1,234.50', { exact: true })).toBeVisible()
      await page.getByRole('main').locator('time').first().hover()
      await expect(page.getByRole('tooltip')).toHaveText(
        /, \d{1,2}:\d\d:\d\d [AP]M GMT\+9.*\d\d:\d\d:\d\d\.\d{3} UTC$/,
      )
    },
  )
})
