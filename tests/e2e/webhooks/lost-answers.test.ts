import { expect, loseAnswers, test, toast } from '#tests/support/browser/browser.ts'
import { runSql, type E2eClient } from '#tests/support/browser/e2e-client.ts'
import {
  chooseAction,
  finishCreation,
  openConfigurations,
  openCreateDialog,
  openLogs,
} from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

/** One press tries twice by itself (docs/product.md §7). */
const TRIES = 2
const CONFIGS = '**/api/v1/webhook-configs'

const webhooksOf = async (client: E2eClient) =>
  (
    await client.call<{ data: { webhook_name: string; endpoint_url: string }[] }>(
      'GET',
      '/api/v1/webhook-configs',
    )
  ).data

test('Create after a lost answer makes no second webhook', async ({ page, client }) => {
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('Field CRM')
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/leads')
  const losing = await loseAnswers(page, CONFIGS, 'POST')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
  await expect(dialog.getByText('The server did not answer.', { exact: false })).toBeVisible()
  expect(losing.count()).toBe(TRIES)
  await losing.end()

  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Webhook created successfully')).toBeVisible()
  await finishCreation(page)
  expect(await webhooksOf(client)).toHaveLength(1)

  await test.step('the next form creates a second webhook', async () => {
    const next = await openCreateDialog(page)
    await next.getByRole('textbox', { name: 'Webhook Name' }).fill('Field CRM')
    await next.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/leads')
    await next.getByRole('button', { name: 'Create' }).click()
    await finishCreation(page)
    expect(await webhooksOf(client)).toHaveLength(2)
  })
})

test('a form that was edited after a lost answer updates the webhook that the first try created', async ({
  page,
  client,
}) => {
  await openConfigurations(page)
  const creating = await openCreateDialog(page)
  await creating.getByRole('textbox', { name: 'Webhook Name' }).fill('Field CRM')
  await creating.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/leads')
  const losing = await loseAnswers(page, CONFIGS, 'POST')
  await creating.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
  await losing.end()

  await creating.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4999/other')
  await creating.getByRole('button', { name: 'Create' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  const notice = editing.getByRole('alert').filter({ hasText: '“Field CRM” was created by your earlier try' })
  await expect(notice).toBeInViewport()
  await expect(editing.getByRole('textbox', { name: 'Endpoint URL' })).toHaveValue(
    'http://127.0.0.1:4999/other',
  )
  expect(await webhooksOf(client)).toMatchObject([{ endpoint_url: 'http://127.0.0.1:4999/leads' }])

  await editing.getByRole('button', { name: 'Update' }).click()
  await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  await finishCreation(page)
  expect(await webhooksOf(client)).toMatchObject([{ endpoint_url: 'http://127.0.0.1:4999/other' }])
  await expect(page.getByRole('row').filter({ hasText: 'Field CRM' })).toHaveCount(1)
})

test('Delete says that the webhook is gone if its first answer was lost', async ({ page, client }) => {
  const id = await client.addWebhook({ webhook_name: 'Old CRM', endpoint_url: 'http://127.0.0.1:4999/leads' })
  await openConfigurations(page)
  await chooseAction(page, 'Old CRM', 'Delete')
  const losing = await loseAnswers(page, `${CONFIGS}/${id}`, 'DELETE', 1)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()

  await expect(toast(page, 'Webhook configuration deleted successfully')).toBeVisible()
  await expect(page.getByText('No webhooks configured')).toBeVisible()
  expect(losing.count()).toBe(1)
  await losing.end()
})

test('Run Assignment Test after a lost answer continues with the lead that it has created', async ({
  page,
  client,
}) => {
  const done = 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'
  const countLeads = async () => (await client.call<{ data: unknown[] }>('GET', '/api/v1/leads')).data.length
  await page.goto('/client-integrations')
  const button = page.getByRole('button', { name: /^(Run Assignment Test|Running\.\.\.)$/ })
  const losing = await loseAnswers(page, '**/api/v1/leads', 'POST')
  await button.click()
  await expect(toast(page, 'Test failed. Please try again or check logs.')).toBeVisible()
  expect(losing.count()).toBe(TRIES)
  await losing.end()

  await button.click()
  await expect(toast(page, done)).toBeVisible()
  expect(await countLeads()).toBe(1)
  await expect(button).toHaveText('Run Assignment Test')
  await button.click()
  await expect.poll(countLeads).toBe(2)
})

test('a CRM gets a lead once more, however often Resend is pressed before its answer arrives', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Live CRM', endpoint_url: receiver.url })
  await client.receiveLeads([{ name: 'Robin Twice', email: 'robin@example.com', state: 'TX' }])
  await receiver.waitForCount(1)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Live CRM')
  const first = logs.getByRole('button', { name: 'Actions for Robin Twice, attempt 1' }).last()
  const question = page.getByRole('alertdialog', { name: 'Resend Robin Twice?' })
  const resend = async () => {
    await first.click()
    await page.getByRole('menuitem', { name: 'Resend', exact: true }).click()
    await question.getByRole('button', { name: 'Resend' }).click()
  }
  await expect(logs.getByRole('row').filter({ hasText: 'Success' })).toHaveCount(1)
  const losing = await loseAnswers(page, '**/api/v1/delivery-logs/*/resend', 'POST')
  await resend()
  await expect(page.getByText('The server did not answer. Check your connection.')).toBeVisible()
  expect(losing.count()).toBe(TRIES)
  await losing.end()
  await expect(logs.getByRole('row').filter({ hasText: 'Success' })).toHaveCount(2)

  await resend()
  await expect(toast(page, 'The lead is on its way again.')).toBeVisible()
  const made = await runSql('select state from webhook_deliveries where client_user_id = $1', [client.id])
  expect(made).toHaveLength(2)
  expect(receiver.requests).toHaveLength(2)
  await receiver.close()
})

test('Resend failed since… shows the progress of the replay that it has begun if its first answer was lost', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver(() => 404)
  const id = await client.addWebhook({ webhook_name: 'Mended CRM', endpoint_url: receiver.url })
  await client.receiveLeads([{ name: 'Robin Failed', email: 'robin@example.com', state: 'TX' }])
  await expect
    .poll(() => runSql('select state from webhook_deliveries where client_user_id = $1', [client.id]), {
      timeout: 60_000,
    })
    .toEqual([{ state: 'failed' }])
  receiver.answerWith(200)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Mended CRM')
  await logs.getByRole('button', { name: 'Resend failed since…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resend failed since…' })
  const send = dialog.getByRole('button', { name: 'Resend 1 delivery' })
  await expect(send).toBeEnabled()
  const losing = await loseAnswers(page, `${CONFIGS}/${id}/resend-failed`, 'POST', 1)
  await send.click()
  await expect(dialog).toHaveCount(0)
  expect(losing.count()).toBe(1)
  await losing.end()
  await expect(logs.getByRole('region', { name: 'Resend progress' })).toContainText(
    'The delivery has arrived',
  )
  const made = await runSql('select id from webhook_replays where client_user_id = $1', [client.id])
  expect(made).toHaveLength(1)
  await receiver.close()
})
