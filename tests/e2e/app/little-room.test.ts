import type { Page } from '@playwright/test'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, holdRequests, test } from '#tests/support/browser/browser.ts'
import { runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'

const LONG = 'Maximiliana Featherstonehaugh-Cholmondeley Maximiliana Featherstonehaugh'
const ORDER = { name: LONG, lead_type: 'final_expense', timezone: 'America/Chicago' }
const ROBIN = { name: 'Robin Sample', email: 'robin@example.com', phone: '+15125550143', state: 'TX' }

const topOf = async (page: Page, label: string) =>
  (await page.getByRole('region', { name: label }).boundingBox())?.y

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, colorScheme: 'light' })

  test('a skeleton is no wider than the screen, whatever the text size', async ({ page, client }) => {
    const [lead] = await client.receiveLeads([ROBIN])
    for (const path of ['/dashboard', '/analytics', '/settings?tab=billing', `/leads/${lead}`]) {
      const release = await holdRequests(page, /\/api\/v1\/(dashboard|analytics|balance|payments|leads)/)
      await page.goto(path)
      await expect(page.locator('main [aria-busy=true], main .animate-breathe').first()).toBeVisible()
      await expectToFitAnySize(page, `${path}, waiting`)
      await release()
    }
  })

  test('found leads have room for their names', async ({ page, client }) => {
    await client.receiveLeads([ROBIN])
    await page.goto('/dashboard')
    await page.getByRole('combobox', { name: 'Search leads' }).fill('robin')
    const found = page.getByRole('option', { name: /Robin Sample/ })
    await expect(found).toBeVisible()
    await expectToFitAnySize(page, 'the leads found')
    expect((await found.boundingBox())?.width).toBeGreaterThan(PHONE.width * 0.9)
  })

  test('an order, a second session and the activity break lines between words, not within them', async ({
    page,
    client,
  }) => {
    await client.call('POST', '/api/v1/orders', { ...ORDER, daily_cap: 12, monthly_cap: 200 })
    await page.goto('/orders')
    await expect(page.getByText('Your account has not been approved yet')).toBeVisible()
    await expectToFitAnySize(page, 'an order')
    const again = await fetch(`${readEnvironment().server}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: client.email, password: client.password }),
    })
    expect(again.status).toBe(200)
    await page.goto('/settings?tab=security')
    await expect(page.getByRole('button', { name: /^Sign out .*127/ })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Recent activity' })).toContainText('Signed in')
    await expectToFitAnySize(page, 'the sessions')
  })

  test('the menu of an attempt stays beside its lead’s name, even while the next attempt is announced', async ({
    page,
    client,
  }) => {
    const receiver = await startReceiver({ status: 503, headers: { 'retry-after': '2000' } })
    await client.addWebhook({ webhook_name: 'Lead CRM', endpoint_url: receiver.url })
    await client.receiveLeads([ROBIN])
    await receiver.waitForCount(1)
    await openConfigurations(page)
    const logs = await openLogs(page, 'Lead CRM')
    const row = logs.getByRole('row').nth(1)
    await expect(row).toContainText(/next attempt in 3\d min/)
    const name = await row.getByRole('button', { name: /^Robin Sample/ }).boundingBox()
    const menu = await row.getByRole('button', { name: /^Actions/ }).boundingBox()
    expect(Math.abs((menu?.y ?? 0) - (name?.y ?? 99))).toBeLessThan(16)
    await receiver.close()
  })

  test('buttons with two lines of text have equal heights', async ({ page }) => {
    await page.goto('/client-integrations')
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    const [configure, run] = ['Configure Webhooks', 'Run Assignment Test'].map((name) =>
      page.getByRole('button', { name }),
    )
    await expect(page.getByRole('button', { name: 'Run Assignment Test' })).toBeVisible()
    expect((await configure?.boundingBox())?.height).toBe((await run?.boundingBox())?.height)
    await page.evaluate("document.documentElement.style.fontSize = ''")
  })

  test('a client with a long name and its order fit the administrators’ tables and the client’s dialog', async ({
    page,
  }) => {
    const client = await signUpClient()
    await runSql('update profiles set name = $2 where user_id = $1', [client.id, LONG])
    await client.call('POST', '/api/v1/orders', ORDER)
    await becomeAdministrator(page)
    await page.goto('/admin/clients')
    await page.getByRole('searchbox', { name: 'Name, email or business' }).fill(client.email)
    await expect(page.getByRole('table', { name: 'Clients' }).getByRole('row')).toHaveCount(2)
    await expectToFitAnySize(page, 'the clients')
    await page.getByRole('link', { name: LONG, exact: true }).click()
    await expect(page.getByText('Low balance notice')).toBeVisible()
    await expectToFitAnySize(page, 'a client')
    await page.setViewportSize(PHONE)
    await page.goto('/admin/orders')
    await expect(page.getByRole('table', { name: 'Orders' }).getByText(LONG).first()).toBeVisible()
    await expectToFitAnySize(page, 'the orders')
  })
})

test('the answers to a lead’s attempts stay visible beside a long webhook name', async ({ page, client }) => {
  const receiver = await startReceiver({ status: 503 })
  await client.addWebhook({
    webhook_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3),
    endpoint_url: receiver.url,
  })
  const [lead] = await client.receiveLeads([ROBIN])
  await receiver.waitForCount(1)
  await page.goto(`/leads/${lead}`)
  await page.getByRole('button', { name: 'Delivery attempts' }).click()
  const table = page.getByRole('table', { name: 'Delivery attempts' })
  const error = table.getByRole('cell', { name: /^503: your endpoint/ }).first()
  await expect(error).toBeVisible()
  const frame = await page.getByRole('region', { name: 'Delivery attempts' }).last().boundingBox()
  const cell = await error.boundingBox()
  expect((cell?.x ?? 0) + (cell?.width ?? Infinity)).toBeLessThanOrEqual(
    (frame?.x ?? 0) + (frame?.width ?? 0),
  )
  await receiver.close()
})

test('setting a filter moves no lead, because Clear filters has a place of its own', async ({
  page,
  client,
}) => {
  await client.receiveLeads([ROBIN])
  await page.goto('/leads')
  await expect(page.getByRole('link', { name: /Robin Sample/ })).toBeVisible()
  const before = await topOf(page, 'Leads')
  await page.getByRole('searchbox', { name: 'Name, email or phone' }).fill('robin')
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
  expect(await topOf(page, 'Leads')).toBe(before)
})
