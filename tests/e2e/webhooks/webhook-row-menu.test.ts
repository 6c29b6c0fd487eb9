import { expect, failRequests, test, toast } from '#tests/support/browser/browser.ts'
import { openConfigurations } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('the row menu tests, switches and deletes, and shows each result', async ({ page, client }) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Row CRM', endpoint_url: `${receiver.url}/leads` })
  await openConfigurations(page)
  const row = page.getByRole('row').filter({ hasText: 'Row CRM' })
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Row CRM' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  await test.step('Test Endpoint sends the saved configuration', async () => {
    const request = page.waitForRequest('**/functions/v1/test-webhook-endpoint')
    await choose('Test Endpoint')
    expect(Object.keys((await request).postDataJSON() as object)).toEqual(['webhookId'])
    await expect(toast(page, 'Test webhook sent successfully!')).toBeVisible()
    const [received] = await receiver.waitForCount(1)
    expect(received?.headers['leadwire-event']).toBe('test')
  })
  await test.step('Test Endpoint shows the failure of an endpoint', async () => {
    receiver.answerWith(404)
    await choose('Test Endpoint')
    await expect(
      page.getByText(
        'Test failed: 404: your endpoint found nothing for this request. Check Endpoint URL if its answer does not say why.',
        {
          exact: true,
        },
      ),
    ).toBeVisible()
  })
  await test.step('Test Endpoint shows Unknown error if the answer names none', async () => {
    await page.route('**/functions/v1/test-webhook-endpoint', (route) =>
      route.fulfill({
        json: {
          success: false,
          message: '',
          error: null,
          response_status: null,
          duration_ms: null,
          response_body: null,
          outcome: null,
          receiver_id: null,
        },
      }),
    )
    await choose('Test Endpoint')
    await expect(toast(page, 'Test failed: Unknown error')).toBeVisible()
    await page.unroute('**/functions/v1/test-webhook-endpoint')
  })
  await test.step('Test Endpoint shows the failure of the test function', async () => {
    const failing = await failRequests(page, '**/functions/v1/test-webhook-endpoint')
    await choose('Test Endpoint')
    await expect(toast(page, 'Failed to test webhook endpoint')).toBeVisible()
    await failing.end()
  })
  await test.step('Deactivate and Activate send only is_active and updated_at, and a failed switch is undone (checks 10, 26)', async () => {
    const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
    await choose('Deactivate')
    expect((await request).postDataJSON()).toEqual({ is_active: false, updated_at: expect.any(String) })
    await expect(toast(page, 'Webhook status updated successfully')).toBeVisible()
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible()
    const failing = await failRequests(page, '**/api/v1/webhook-configs/*', ['PATCH'])
    await choose('Activate')
    // The status changes at once, and changes back with the reason after the second try.
    await expect(row.getByText('Active', { exact: true })).toBeVisible()
    await expect(toast(page, 'Failed to update webhook status')).toHaveCount(1)
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible()
    expect(failing.count()).toBe(2)
    await failing.end()
    await choose('Activate')
    await expect(row.getByText('Active', { exact: true })).toBeVisible()
  })
  await test.step('Delete asks first (check 11)', async () => {
    await choose('Delete')
    const question = page.getByRole('alertdialog')
    await expect(
      question.getByText('Are you sure you want to delete "Row CRM"?', { exact: true }),
    ).toBeVisible()
    await expect(question).toContainText('Nothing waits for it. The leads and their timelines stay.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(row).toHaveCount(1)
    const failing = await failRequests(page, '**/api/v1/webhook-configs/*', ['DELETE'])
    await choose('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Failed to delete webhook configuration')).toBeVisible()
    await expect(row).toHaveCount(1)
    await failing.end()
    await choose('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Webhook configuration deleted successfully')).toBeVisible()
    await expect(page.getByText('No webhooks configured', { exact: true })).toBeVisible()
  })
  await receiver.close()
})
