import type { Page } from '@playwright/test'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, failRequests, holdRequests, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { callAsAdmin, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readShift } from '#tests/support/browser/read-shift.ts'

const figure = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: label, exact: true }) })

/** The sentence of what is true now. */
const state = (page: Page) => page.getByRole('region', { name: 'State', exact: true })

async function expectSoundInBoth(page: Page, screen: string): Promise<void> {
  await expectSound(page, screen)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findFaults(page, 'colours'), `${screen}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

test.describe('a new client', () => {
  test.use({ session: SIGNED_OUT })

  test('lands on the first steps, and after the first lead on numbers that lead to their lists', async ({
    page,
  }) => {
    const receiver = await startReceiver()
    const client = await signUpClient()
    await page.goto('/auth')
    await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(client.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    const steps = page.getByRole('list', { name: 'Your first lead' })
    await expect(steps.getByRole('link', { name: 'Add a webhook' })).toBeVisible()
    await expect(page.getByText('0 of 6 done')).toBeVisible()
    await expect(state(page)).toContainText('5 steps are left before your first lead')
    await expect(page.getByRole('heading', { name: 'Leads today' })).toHaveCount(0)
    await expectSoundInBoth(page, 'the first steps')
    await expect(page.getByRole('heading', { name: 'Newest leads' })).toHaveCount(0)
    await page.reload()
    await expect(steps.getByRole('listitem')).toHaveCount(6)
    await expect(steps.getByText('With us', { exact: true })).toBeVisible()
    await expect(page.getByText('Add funds to start', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Orders/ })).toHaveText('OrdersNone active')
    expect(await readShift(page)).toBeLessThan(0.05)

    const webhook = await client.addWebhook({ webhook_name: 'Lead CRM', endpoint_url: receiver.url })
    await client.receiveLeads([
      { name: 'Robin Sample', email: 'robin@example.com', state: 'TX' },
      {
        name: 'Maximiliana Featherstonehaugh-Cholmondeley '.repeat(3).trim(),
        phone: '+15125550144',
        state: 'CA',
      },
      { name: 'Only A Test', email: 'test@example.com', state: 'CA', is_test: true },
    ])
    await receiver.waitForCount(3)
    await page.reload()
    await expect(figure(page, 'Leads today').getByRole('link')).toHaveText('2, Leads today')
    await expect(state(page)).toContainText('Leads are coming in 2 today, the newest ')
    await expect(page.getByRole('img', { name: /^Leads by hour: \d+ [AP]M 2$/ })).toBeVisible()
    const chart = figure(page, 'Leads, last 24 hours')
    await expect(chart).toContainText('2 in 7 days, none in the 7 days before')
    await expect(figure(page, 'Delivery success, 24 hours')).toContainText('3 of 3 delivered')
    await expect(page.getByRole('list', { name: 'Why am I not getting leads?' })).toHaveCount(0)
    await expect(page.getByRole('list', { name: 'Newest leads' }).getByRole('listitem')).toHaveCount(3)
    await expectSoundInBoth(page, 'the dashboard')

    await figure(page, 'Leads today').getByRole('link').click()
    await expect(page.getByRole('table', { name: 'Leads' }).getByRole('row')).toHaveCount(3)
    await expect(page.getByText(/^Since .*, without test leads$/)).toBeVisible()
    await page.goBack()

    await runSql(
      `update webhook_endpoint_health set failures_in_row = 7, failing_since = now(), warned_at = now(),
         last_error_message = 'The endpoint refused the connection.' where webhook_config_id = $1`,
      [webhook],
    )
    await page.reload()
    const banner = page.getByRole('status').filter({ hasText: '“Lead CRM” keeps failing' })
    await expect(banner).toContainText('The endpoint refused the connection.')
    await expect(state(page), 'the banner says what is true').toHaveCount(0)
    await expectSoundInBoth(page, 'a failing endpoint')
    await banner.getByRole('link', { name: 'View logs' }).click()
    await expect(page.getByRole('dialog')).toContainText('Lead CRM')
    await receiver.close()
  })
})

test('each panel shows its own skeleton while it loads, and its own error if it fails', async ({
  page,
  client,
}) => {
  await client.receiveLeads([{ name: 'Robin Sample', email: 'robin@example.com', state: 'TX' }])
  const release = await holdRequests(page, '**/api/v1/webhook-configs/health')
  await page.goto('/dashboard')
  await expect(page.getByRole('status', { name: 'Loading: Delivery success, 24 hours' })).toBeVisible()
  await expect(figure(page, 'Leads today')).toContainText('1')
  await release()
  await expect(figure(page, 'Delivery success, 24 hours')).toContainText('No webhook yet')

  const failing = await failRequests(page, '**/api/v1/dashboard')
  await page.reload()
  await expect(figure(page, 'Leads today')).toContainText('Still waiting for the server')
  const failed = figure(page, 'Leads today').getByRole('alert')
  await expect(failed).toContainText('Could not be loaded', { timeout: 30_000 })
  // Nothing is loading any more, so no skeleton is left.
  await expect(page.getByRole('main').locator('header .animate-breathe')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Newest leads' })).toContainText('Robin Sample')
  await failing.end()
  await failed.getByRole('button', { name: 'Try Again: Leads today' }).click()
  await expect(figure(page, 'Leads today').getByRole('link')).toHaveText('1, Leads today')
})

test('an amount that cannot be loaded says so, even if its owner is unknown', async ({ page, client }) => {
  await client.receiveLeads([{ name: 'Robin Sample', email: 'robin@example.com', state: 'TX' }])
  const failing = await failRequests(page, '**/api/v1/me')
  await page.goto('/dashboard')
  const failed = figure(page, 'Balance').getByRole('alert')
  await expect(failed).toContainText('Could not be loaded', { timeout: 30_000 })
  await failing.end()
  await failed.getByRole('button', { name: 'Try Again: Balance' }).click()
  await expect(figure(page, 'Balance').getByRole('link')).toHaveText('$0.00, Balance')
})

test('a client with an order reads why no leads come, and how to change that', async ({ page, client }) => {
  await client.receiveLeads([{ name: 'Robin Sample', email: 'robin@example.com', state: 'TX' }])
  const order = {
    name: 'Texas',
    lead_type: 'final_expense',
    states: ['TX'],
    timezone: 'America/Chicago',
    active: true,
  }
  await client.call('POST', '/api/v1/orders', order)
  await page.goto('/dashboard')
  const list = page.getByRole('list', { name: 'Why am I not getting leads?' })
  await expect(list).toContainText('Your account has not been approved yet')
  await expect(list).toContainText('An order is switched on')
  await expectSoundInBoth(page, 'why no leads come')
  await expect(state(page)).toContainText(
    'No leads are bought for you now 3 things to put right, listed below',
  )
  await callAsAdmin('POST', `/api/v1/admin/clients/${client.id}/approve`, {})
  await runSql('update profiles set balance = 500 where user_id = $1', [client.id])
  await page.reload()
  await expect(figure(page, 'Balance')).not.toContainText('Out of funds')
  await expect(state(page), 'one obstacle is told by the sentence alone').toContainText(
    'Leads are coming in No active webhook takes assigned leads; they wait for you under Leads',
  )
  await expect(list).toHaveCount(0)
  await expect(state(page).getByRole('link', { name: /^Fix: No active webhook/ })).toHaveAttribute(
    'href',
    '/client-integrations',
  )
  await expectSoundInBoth(page, 'one obstacle')

  const receiver = await startReceiver()
  await client.addWebhook({ endpoint_url: receiver.url })
  const paused = await client.call<{ data: { id: string }[] }>('GET', '/api/v1/orders')
  await client.call('POST', `/api/v1/orders/${paused.data[0]?.id}/pause`, {})
  await page.reload()
  await expect(state(page)).toContainText('No leads are bought for you now “Texas” is paused by you')
  await client.call('POST', `/api/v1/orders/${paused.data[0]?.id}/resume`, {})
  await page.reload()
  await expect(state(page)).toContainText('Leads are coming in 1 today')
  await expect(list).toHaveCount(0)
  await receiver.close()
})
