import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { findFaults } from '#scripts/look/find-faults.ts'
import { DESK, expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import type { E2eClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import {
  openConfigurations,
  openCreateDialog,
  openGroup,
  openLogs,
} from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

const LONG = 'Maximiliana Featherstonehaugh-Cholmondeley '.repeat(3).trim()

/** Creates a client with long values, a delivered and a failed lead; returns the first lead's id. */
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

/** Sets up an authenticator app, verified over the API. */
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

/**
 * Checks the screen as it is and on a phone: no accessibility fault in either theme, and no horizontal
 * scrolling at any size.
 */
async function look(page: Page, screen: string): Promise<void> {
  await expectToFitAnySize(page, screen)
  await page.setViewportSize(DESK)
  expect.soft(await findFaults(page), screen).toEqual([])
  // Only the colours differ between the themes.
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findFaults(page, 'colours'), `${screen}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(PHONE)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectLoaded(page)
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /Loading/ })).toHaveCount(0)
  await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
}

async function lookAt(page: Page, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await open(page, path)
    await look(page, path)
  }
}

test.describe('screens fit a phone and a desk in both themes, also with text twice as large (checks 17, 28)', () => {
  test.use({ viewport: PHONE, colorScheme: 'light', reducedMotion: 'reduce' })

  test('the leads have no accessibility fault and do not scroll sideways', async ({ page, client }) => {
    await lookAt(page, '/leads', `/leads/${await givenLongNames(client)}`)
  })

  test('the integrations have no accessibility fault and do not scroll sideways', async ({
    page,
    client,
  }) => {
    await givenLongNames(client)
    await lookAt(page, '/client-integrations')
    await page.getByRole('tab', { name: 'API Access' }).click()
    await expect(page.getByText('API documentation and access keys are Coming Soon')).toBeVisible()
    await look(page, '/client-integrations?tab=api')
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Configure Webhooks' }).click()
    await expect(page.getByRole('row')).toHaveCount(2)
    await look(page, 'the configuration list')
    const create = await openCreateDialog(page)
    await look(page, 'the create dialog')
    const groups = ['Advanced options', 'Authentication', 'Certificates', 'How the answer is read']
    for (const title of groups) await openGroup(create, title)
    await look(page, 'the create dialog, opened')
    await create.getByRole('button', { name: 'Cancel' }).click()
    await expect(create).toHaveCount(0)
  })

  test('the options of a webhook and its last step have no accessibility fault and do not scroll sideways', async ({
    page,
  }) => {
    await openConfigurations(page)
    const create = await openCreateDialog(page)
    await create.getByRole('textbox', { name: 'Webhook Name' }).fill(LONG.slice(0, 100))
    await create.getByRole('textbox', { name: 'Endpoint URL' }).fill('https://crm.example.com/leads')
    const fits = await openGroup(create, 'Send only what fits')
    await fits.getByRole('button', { name: 'Add a condition' }).click()
    await fits.getByRole('switch', { name: 'Only at these hours' }).click()
    await look(page, 'the conditions and hours')
    await fits.getByRole('button', { name: 'Remove condition 1' }).click()
    await create.getByRole('button', { name: 'Create', exact: true }).click()
    const last = page.getByRole('dialog', { name: 'What your receiver needs' })
    await expect(last.getByRole('button', { name: 'Send a test' })).toBeVisible()
    await look(page, 'what the receiver needs')
  })

  test('the delivery logs have no accessibility fault and do not scroll sideways', async ({
    page,
    client,
  }) => {
    await givenLongNames(client)
    await openConfigurations(page)
    const logs = await openLogs(page, 'A very long name of a webhook')
    await expect(logs.getByRole('row')).toHaveCount(5)
    await look(page, 'the delivery logs')
    await logs.getByRole('button', { name: 'Resend failed since…' }).click()
    const resend = page.getByRole('dialog', { name: 'Resend failed since…' })
    await expect(resend.getByRole('button', { name: 'Resend 1 delivery' })).toBeEnabled()
    await look(page, 'the dialog of what failed')
    await resend.getByRole('button', { name: 'Cancel' }).click()
    await logs.getByRole('searchbox').fill('nobody')
    await expect(logs.getByText('No delivery logs match these filters')).toBeVisible()
    await look(page, 'the delivery logs without a match')
    await logs.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
    await logs
      .getByRole('button', { name: /Robin Sample/ })
      .first()
      .click()
    await expect(logs.getByRole('tab', { name: 'Response' })).toBeVisible()
    await look(page, 'one attempt')
  })

  test('the banners and the profile menu have no accessibility fault and do not scroll sideways', async ({
    page,
  }) => {
    await lookAt(page, '/orders', '/dashboard')
    await page.getByRole('button', { name: 'Profile' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible()
    await look(page, 'the profile menu')
  })

  test('settings and help have no accessibility fault and do not scroll sideways', async ({ page }) => {
    await lookAt(page, '/settings?tab=billing', '/help', '/admin-auth', '/settings')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(LONG.slice(0, 120))
    await page.getByRole('button', { name: 'Save name' }).click()
    const saved = toast(page, 'Your name is saved')
    await expect(saved).toBeVisible()
    // The toast stays while the user is in another window.
    await page.evaluate('window.dispatchEvent(new Event("blur"))')
    await look(page, 'a toast')
    await expect(saved).toBeVisible()
    await lookAt(page, '/settings?tab=security')
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    await look(page, 'the set-up of an authenticator app')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.evaluate('sessionStorage.setItem("leadwire.password-reason", "recovery")')
    await open(page, '/settings')
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    await look(page, 'the choice of a new password')
  })

  test.describe('before the app', () => {
    test.use({ session: SIGNED_OUT })

    test('the screens before the app have no accessibility fault and do not scroll sideways', async ({
      page,
      client,
    }) => {
      const follow = async (link: string, heading: string) => {
        await page.getByRole('link', { name: link }).click()
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        await expectLoaded(page)
      }
      await lookAt(page, '/secure-signup', '/admin-auth', '/no-such-page', '/auth')
      await page.getByRole('tab', { name: 'Sign up' }).click()
      await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible()
      await look(page, '/auth?mode=sign-up')
      await page.getByRole('tab', { name: 'Sign in' }).click()
      await follow('Forgot your password?', 'Forgot your password?')
      await look(page, '/auth?mode=forgot')
      await follow('Sign in with a password', 'Sign in to your leads')
      await follow('Sign in by mail', 'Sign in by mail')
      await look(page, '/auth?mode=code')
      await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
      await page.getByRole('button', { name: 'Email me a link and a code' }).click()
      await expect(page.getByRole('textbox', { name: 'Six-digit code' })).toBeVisible()
      await look(page, 'the code of a mail')
    })

    test('the second factor and the inactivity warning have no accessibility fault', async ({
      page,
      client,
    }) => {
      await giveSecondFactor(client)
      await open(page, '/auth')
      await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(client.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
      await look(page, 'the second factor')
      await page.getByRole('textbox', { name: 'Six-digit code' }).fill('000000')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
      await look(page, 'the second factor, refused')
      await page.evaluate(
        'localStorage.setItem("leadwire.last-activity", String(Date.now() - 28.5 * 60_000))',
      )
      await page.reload()
      await expect(page.getByRole('alert').filter({ hasText: 'Are you still there?' })).toBeVisible()
      await look(page, 'the question to who rests')
    })
  })

  test('on a narrow screen a drawer holds the sidebar', async ({ page }) => {
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

test('the theme follows the system until the user chooses another, and a reload keeps the choice', async ({
  page,
}) => {
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
