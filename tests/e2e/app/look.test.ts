import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { findFaults, readWidth } from '#tests/support/browser/accessibility.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import type { E2eClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { openConfigurations, openCreateDialog, openLogs } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

const LONG = 'Maximiliana Featherstonehaugh-Cholmondeley '.repeat(3).trim()

const SIGNED_OUT_SCREENS = [
  '/auth',
  '/auth?mode=sign-up',
  '/auth?mode=code',
  '/auth?mode=forgot',
  '/secure-signup',
  '/admin-auth',
  '/no-such-page',
]

/** A client with long values, a delivered and a failed lead; answers the first lead's id. */
async function givenLongNames(client: E2eClient): Promise<string> {
  const receiver = await startReceiver((_request, index) => (index === 0 ? 200 : 500))
  await client.addWebhook({
    webhook_name: 'A very long name of a webhook that goes on and on, longer than any column of the table',
    endpoint_url: `${receiver.url}/${'long/'.repeat(60)}`,
  })
  const [first = ''] = await client.receiveLeads([
    {
      name: LONG,
      email: `${'long.'.repeat(9)}name@example.com`,
      phone: '+15125550143',
      state: 'TX',
      comments: 'w'.repeat(600),
    },
  ])
  await receiver.waitForCount(1)
  await client.receiveLeads([{ name: 'Robin Sample', phone: '+15125550144', state: 'TX' }])
  await receiver.waitForCount(4)
  await receiver.close()
  return first
}

/** An authenticator app, verified over the wire. */
async function giveSecondFactor({ token }: E2eClient) {
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${readEnvironment().server}/auth/v1/factors${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    expect(response.status, path).toBe(200)
    return (await response.json()) as { id: string; totp: { secret: string } }
  }
  const factor = await post('', { factor_type: 'totp', friendly_name: 'Authenticator app' })
  const challenge = await post(`/${factor.id}/challenge`, {})
  const code = new TOTP({ secret: factor.totp.secret }).generate()
  await post(`/${factor.id}/verify`, { challenge_id: challenge.id, code })
}

async function openScreens(page: Page, client: E2eClient, look: (screen: string) => Promise<void>) {
  const leadId = await givenLongNames(client)
  const goto = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: /Loading/ })).toHaveCount(0)
    await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
  }
  for (const path of ['/client-integrations', '/client-integrations?tab=api', '/leads', `/leads/${leadId}`]) {
    await goto(path)
    await look(path)
  }
  await openConfigurations(page)
  await expect(page.getByRole('row')).toHaveCount(2)
  await look('the configuration list')
  const create = await openCreateDialog(page)
  await look('the create dialog')
  await create.getByRole('button', { name: 'Cancel' }).click()
  await expect(create).toHaveCount(0)
  const logs = await openLogs(page, 'A very long name of a webhook')
  await expect(logs.getByRole('row')).toHaveCount(5)
  await look('the delivery logs')
  await logs.getByRole('button', { name: 'Resend failed since…' }).click()
  const resend = page.getByRole('dialog', { name: 'Resend failed since…' })
  await expect(resend.getByRole('button', { name: 'Resend 1 delivery' })).toBeEnabled()
  await look('the dialog of what failed')
  await resend.getByRole('button', { name: 'Cancel' }).click()
  await logs.getByRole('searchbox').fill('nobody')
  await expect(logs.getByText('No delivery logs match these filters')).toBeVisible()
  await look('the delivery logs without a match')
  await logs.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
  await logs
    .getByRole('button', { name: /Robin Sample/ })
    .first()
    .click()
  await expect(logs.getByRole('tab', { name: 'Response' })).toBeVisible()
  await look('one attempt')
  for (const path of ['/settings', '/settings?tab=security', '/settings?tab=billing', '/admin-auth']) {
    await goto(path)
    await look(path)
  }
  await page.goto('/settings')
  await page.getByRole('textbox', { name: 'Name' }).fill(LONG.slice(0, 120))
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(page, 'Your name is saved')).toBeVisible()
  await look('a toast')
  await page.goto('/settings?tab=security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await look('the set-up of an authenticator app')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.evaluate('sessionStorage.setItem("leadwire.password-reason", "recovery")')
  await goto('/settings')
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await look('the choice of a new password')
  await page.evaluate('sessionStorage.removeItem("leadwire.password-reason")')
  await page.evaluate('localStorage.removeItem("leadwire.auth")')
  for (const path of SIGNED_OUT_SCREENS) {
    await goto(path)
    await look(path)
  }
  await goto('/auth?mode=code')
  await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
  await page.getByRole('button', { name: 'Email me a link and a code' }).click()
  await expect(page.getByRole('textbox', { name: 'Six-digit code' })).toBeVisible()
  await look('the code of a mail')
  await giveSecondFactor(client)
  await goto('/auth')
  await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(client.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await look('the second factor')
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await look('the second factor, refused')
  await page.evaluate('localStorage.setItem("leadwire.last-activity", String(Date.now() - 28.5 * 60_000))')
  await page.reload()
  await expect(page.getByRole('alertdialog', { name: 'Are you still there?' })).toBeVisible()
  await look('the question to who rests')
}

test.describe('on a phone of 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('no screen scrolls sideways, and the menu is a drawer', async ({ page, client }) => {
    await openScreens(page, client, async (screen) => {
      expect(await readWidth(page), screen).toBeLessThanOrEqual(390)
    })
  })

  test('the drawer holds the sidebar', async ({ page }) => {
    await page.goto('/client-integrations')
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden()
    await page.getByRole('button', { name: 'Open menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expect(menu.getByText('$0.00', { exact: true })).toBeVisible()
    await menu.getByRole('link', { name: 'Leads' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
    await expect(menu).toHaveCount(0)
  })
})

for (const theme of ['light', 'dark'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({ colorScheme: theme, reducedMotion: 'reduce' })

    test(`no screen has an accessibility fault, ${theme}`, async ({ page, client }) => {
      // Some thirty states, each searched whole.
      test.slow()
      await openScreens(page, client, async (screen) => {
        // Only the colours differ between the themes.
        const faults = await findFaults(page, theme === 'dark' ? 'colours' : 'all')
        expect.soft(faults, screen).toEqual([])
      })
    })
  })
}

test('the theme follows the system until another is chosen, and a reload keeps it', async ({ page }) => {
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/client-integrations')
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await page.keyboard.press('Escape')
  }
  await choose('Light')
  await expect.poll(background).toBe(light)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
  await expect.poll(background).toBe(light)
  await choose('Like the system')
  await expect.poll(background).toBe(dark)
})
