import { expect, failRequests, holdRequests, test, toast } from '#tests/support/browser/browser.ts'
import { openConfigurations, openCreateDialog, openGroup } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('Test Endpoint sends the form’s values and shows the answer beside the form (check 9)', async ({
  page,
}) => {
  const receiver = await startReceiver()
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await openGroup(dialog, 'Advanced options')
  const press = dialog.getByRole('button', { name: /^(Test Endpoint|Testing\.\.\.)$/ })
  const result = dialog.getByRole('status').filter({ hasText: /\S/ })
  await expect(press).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${receiver.url}/hook`)
  await expect(press).toBeEnabled()

  await test.step('the button shows Testing... meanwhile, then the message', async () => {
    await dialog.getByRole('textbox', { name: 'Custom Headers' }).fill('{"x-team": "sales"}')
    await dialog
      .getByRole('textbox', { name: 'Payload Template' })
      .fill('{"who": "{{name}}", "age": "{{age}}"}')
    const release = await holdRequests(page, '**/functions/v1/test-webhook-endpoint')
    const request = page.waitForRequest('**/functions/v1/test-webhook-endpoint')
    await press.click()
    await expect(press).toHaveText('Testing...')
    await expect(press).toBeDisabled()
    expect((await request).postDataJSON()).toEqual({
      endpoint_url: `${receiver.url}/hook`,
      http_method: 'POST',
      payload_type: 'JSON',
      custom_headers: { 'x-team': 'sales' },
      payload_template: { who: '{{name}}', age: '{{age}}' },
    })
    await release()
    await expect(result).toContainText('Your endpoint answered 200.')
    await expect(press).toHaveText('Test Endpoint')
    const [received] = await receiver.waitForCount(1)
    expect(received?.headers).toMatchObject({ 'x-team': 'sales', 'leadwire-event': 'test' })
    const rendered = await dialog.getByRole('region', { name: 'Rendered body' }).innerText()
    expect(JSON.parse(received?.body ?? '')).toEqual(JSON.parse(rendered))
  })
  await test.step('a refusal shows a long answer, which can be scrolled, and how to correct it (check 20)', async () => {
    receiver.answerWith({ status: 401, body: `who are you? ${'x'.repeat(20_000)}` })
    await press.click()
    await expect(result).toContainText(
      '401: your endpoint does not let us in. If its answer does not say why, compare its secret with Signing secret',
    )
    await expect(result).toContainText(/\d ms/)
    await expect(result).toContainText('who are you?')
    await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('Stays')
    await expect(result).toContainText('401')
  })
  await test.step('a failure shows its reason', async () => {
    receiver.answerWith({ status: 503, body: 'out of order' })
    await press.click()
    await expect(result).toContainText('503: your endpoint is not available right now.')
    await expect(result).toContainText('out of order')
  })
  await test.step('an unknown placeholder is named and sent empty', async () => {
    receiver.answerWith(200)
    await dialog.getByRole('textbox', { name: 'Payload Template' }).fill('{"who": "{{nmae}}"}')
    await expect(
      dialog
        .getByRole('region', { name: 'Preview' })
        .getByText(/is not a known placeholder and will be sent empty/),
    ).toBeVisible()
    await press.click()
    await expect(dialog.getByText(/Unknown placeholders were sent empty: \{\{nmae\}\}/)).toBeVisible()
  })
  await test.step("without a message the result is 'Test successful' or 'Test failed'", async () => {
    for (const [success, shown] of [
      [true, 'Test successful'],
      [false, 'Test failed'],
    ] as const) {
      await page.route('**/functions/v1/test-webhook-endpoint', (route) =>
        route.fulfill({
          json: {
            success,
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
      await press.click()
      await expect(dialog.getByText(shown, { exact: true })).toBeVisible()
      await page.unroute('**/functions/v1/test-webhook-endpoint')
    }
  })
  await test.step('a function that fails shows a message', async () => {
    await failRequests(page, '**/functions/v1/test-webhook-endpoint')
    await press.click()
    await expect(toast(page, 'Failed to test webhook endpoint')).toBeVisible()
    await expect(dialog.getByText('Test failed', { exact: true })).toBeVisible()
  })
  await receiver.close()
})
