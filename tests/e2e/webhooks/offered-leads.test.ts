import { findFaults } from '#scripts/look/find-faults.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { DESK, expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import type { E2eClient } from '#tests/support/browser/e2e-client.ts'
import { chooseAction, openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'

let crm: Receiver
test.beforeEach(async () => {
  crm = await startReceiver()
})
test.afterEach(() => crm.close())

/** Creates a webhook that its owner has switched off, and two leads that came since. */
async function givenOff(client: E2eClient, name = 'Paused CRM'): Promise<string> {
  const id = await client.addWebhook({
    webhook_name: name,
    endpoint_url: `${crm.url}/leads`,
    is_active: false,
  })
  await receive(client, id, 2)
  return id
}

async function receive(client: E2eClient, id: string, count: number) {
  await client.receiveLeads(
    Array.from({ length: count }, (_, index) => ({
      name: `Lead ${index}`,
      phone: '+15125550144',
      state: 'TX',
    })),
  )
  await expect.poll(async () => (await readHealth(client, id)).offered).toBe(count)
}
const readHealth = async (client: E2eClient, id: string) =>
  await client.call<{ offered: number; waiting: number }>('GET', `/api/v1/webhook-configs/${id}/health`)

test('leads that came while a webhook was off are offered in the list and the log, and sent by one press', async ({
  page,
  client,
}) => {
  const id = await givenOff(client)
  await openConfigurations(page)
  const row = page.getByRole('row').filter({ hasText: 'Paused CRM' })
  await expect(row).toContainText('2 deliveries held while it is off.')

  await test.step('the log says how many leads wait, and offers to switch the webhook on', async () => {
    const logs = await openLogs(page, 'Paused CRM')
    await expect(logs.getByText('2 deliveries arrived since “Paused CRM” was switched off')).toBeVisible()
    await expect(logs.getByText('held: the webhook is off').first()).toBeVisible()
    expect(await findFaults(page, 'every')).toEqual([])
    await logs.getByRole('button', { name: 'Switch on…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Switch on “Paused CRM”' })
    await dialog.getByRole('radio', { name: /^Decide later/ }).click()
    await dialog.getByRole('button', { name: 'Switch on without a test' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(logs.getByText('2 deliveries arrived while “Paused CRM” was off')).toBeVisible()
  })

  expect(crm.requests).toEqual([])
  await openConfigurations(page)
  const banner = page
    .getByRole('status')
    .filter({ hasText: '2 deliveries arrived while “Paused CRM” was off' })
  await expect(banner).toBeVisible()
  expect(await findFaults(page, 'every')).toEqual([])
  await banner.getByRole('button', { name: 'Send 2' }).press('Enter')
  await expect(toast(page, '2 deliveries on the way.')).toBeVisible()
  await expect(banner).toHaveCount(0)
  await expect(page.locator('body')).not.toBeFocused()
  await crm.waitForCount(2)
  await expect.poll(async () => await readHealth(client, id)).toMatchObject({ offered: 0, waiting: 0 })
})

test('Activate asks what to do with the waiting leads, and one press discards them', async ({
  page,
  client,
}) => {
  const id = await givenOff(client)
  await openConfigurations(page)
  await chooseAction(page, 'Paused CRM', 'Activate')
  const dialog = page.getByRole('dialog', { name: 'Switch on “Paused CRM”' })
  await expect(dialog.getByRole('radio', { name: 'Send 2 waiting deliveries now' })).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /^Decide later/ })).toBeVisible()
  expect(await findFaults(page, 'every')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const logs = await openLogs(page, 'Paused CRM')
  await logs.getByRole('button', { name: 'Discard 2' }).click()
  await expect(toast(page, 'Discarded 2 deliveries. Each can be resent from the log.')).toBeVisible()
  await expect(logs.getByText('arrived since “Paused CRM” was switched off')).toHaveCount(0)
  await expect(logs.getByText('Cancelled by you before it was sent.').first()).toBeVisible()
  expect(await readHealth(client, id)).toMatchObject({ offered: 0, waiting: 0 })
  expect(crm.requests).toEqual([])
})

test('the offer fits any screen, in both themes', async ({ page, client }) => {
  const id = await givenOff(client, 'A CRM with a name that is as long as names of webhooks tend to become')
  await openConfigurations(page)
  await client.call('PATCH', `/api/v1/webhook-configs/${id}`, { is_active: true })
  await expect(page.getByRole('button', { name: 'Send 2' })).toBeVisible({ timeout: 20_000 })
  await expectToFitAnySize(page, 'the offer')
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(page.getByRole('button', { name: 'Send 2' })).toBeVisible()
      expect(await findFaults(page)).toEqual([])
    }
  }
})
