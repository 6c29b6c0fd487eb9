import { expect, test, toast } from '#tests/support/browser/browser.ts'
import {
  chooseAction,
  chooseOption,
  finishCreation,
  openConfigurations,
  openCreateDialog,
  openGroup,
} from '#tests/support/browser/integrations-page.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startTokenServer } from '#tests/support/peers/token-server.ts'

const AUTHENTICATION = 'Authentication'

test('a bearer token is saved, masked, tested, and not sent to another endpoint', async ({ page }) => {
  const crm = await startReceiver()
  await openConfigurations(page)
  const created = await openCreateDialog(page)
  await created.getByRole('textbox', { name: 'Webhook Name' }).fill('Token CRM')
  await created.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${crm.url}/hook`)
  await openGroup(created, AUTHENTICATION)
  await chooseOption(created, AUTHENTICATION, 'Bearer token')
  await test.step('an empty token is refused before anything is sent', async () => {
    await created.getByRole('button', { name: 'Create' }).click()
    await expect(created.getByText('Token is required')).toBeVisible()
  })
  await created.getByRole('textbox', { name: 'Token' }).fill('bearer-0123456789abcdef')
  await openGroup(created, 'Advanced options')
  await created.getByRole('button', { name: 'Test Endpoint' }).click()
  await crm.waitFor(({ headers }) => headers.authorization === 'Bearer bearer-0123456789abcdef')
  await created.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Webhook created successfully')).toBeVisible()
  await finishCreation(page)

  await chooseAction(page, 'Token CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await openGroup(dialog, 'Advanced options')
  await expect(dialog.getByRole('button', { name: AUTHENTICATION })).toHaveAccessibleDescription(
    'Bearer token, stored',
  )
  await openGroup(dialog, AUTHENTICATION)
  const token = dialog.getByRole('textbox', { name: 'Token' })
  await test.step('a reopened form shows that a token is stored, and does not contain it', async () => {
    await expect(dialog.getByRole('combobox', { name: AUTHENTICATION })).toHaveText('Bearer token')
    await expect(token).toHaveValue('')
    await expect(dialog.getByText('••••cdef is stored. Leave this empty to keep it.')).toBeVisible()
    await expect(page.getByText('bearer-0123456789abcdef')).toHaveCount(0)
  })
  await test.step('a test and a save use the stored token', async () => {
    await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${crm.url}/moved`)
    await dialog.getByRole('button', { name: 'Test Endpoint' }).click()
    const tested = await crm.waitFor(({ path }) => path === '/moved')
    expect(tested.headers.authorization).toBe('Bearer bearer-0123456789abcdef')
  })
  await test.step('another endpoint asks for the token again', async () => {
    await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill('http://127.0.0.1:4998/elsewhere')
    await expect(dialog.getByText('Enter it again: the endpoint has changed.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Update' }).click()
    await expect(dialog.getByText('Enter the value again: the endpoint has changed')).toBeVisible()
    await expect(token).toBeFocused()
    await token.fill('another-token')
    await dialog.getByRole('button', { name: 'Update' }).click()
    await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  })
  await crm.close()
})

test('an OAuth2 client, custom headers behind masks, and certificates are edited', async ({
  page,
  client,
}) => {
  const crm = await startReceiver()
  const tokens = await startTokenServer()
  const id = await client.addWebhook({
    webhook_name: 'OAuth CRM',
    endpoint_url: `${crm.url}/hook`,
    custom_headers: { 'X-Source': 'leadwire', 'X-Api-Key': 'live-key-0123456789abcdef' },
  })
  await openConfigurations(page)
  await chooseAction(page, 'OAuth CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await openGroup(dialog, 'Advanced options')
  await expect(field('Custom Headers')).toHaveValue(/"X-Source": "leadwire"/)
  await expect(field('Custom Headers')).toHaveValue(/"X-Api-Key": "••••cdef"/)

  await openGroup(dialog, AUTHENTICATION)
  await chooseOption(dialog, AUTHENTICATION, 'OAuth2 client credentials')
  await field('Token URL').fill(`${tokens.url}/token`)
  await field('Client ID').fill('leadwire')
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill('client-secret')
  await field('Scope').fill('leads.write')
  await chooseOption(dialog, 'Send credentials in', 'Request body')
  await dialog.getByRole('button', { name: 'Test Endpoint' }).click()
  await expect(dialog.getByText('Your endpoint answered 200.')).toBeVisible()
  expect(crm.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer token-1',
    'x-api-key': 'live-key-0123456789abcdef',
  })

  await dialog.getByRole('button', { name: 'Certificates' }).click()
  await field('CA certificate').fill('nonsense')
  await dialog.getByRole('button', { name: 'Certificates' }).click()
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(dialog.getByText(/Enter a certificate in PEM form/)).toBeVisible()
  await field('CA certificate').fill('')
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  expect(await client.call('GET', `/api/v1/webhook-configs/${id}`)).toMatchObject({
    custom_headers: { 'X-Source': 'leadwire', 'X-Api-Key': '••••cdef' },
    authentication: {
      type: 'oauth2',
      token_url: `${tokens.url}/token`,
      client_id: 'leadwire',
      client_secret: '••••',
      scope: 'leads.write',
      credentials_in: 'body',
    },
  })
  await crm.close()
  await tokens.close()
})

test('an authentication that cannot be read is marked, and entered again', async ({ page, client }) => {
  const id = await client.addWebhook({
    webhook_name: 'Lost CRM',
    endpoint_url: 'http://127.0.0.1:4998/hook',
    authentication: { type: 'bearer', token: 'token' },
  })
  await runSql(`update client_webhook_configs set authentication = 'v1.lost' where id = $1`, [id])
  const lost = 'Its authentication cannot be read; enter it again'
  await openConfigurations(page)
  const row = page.getByRole('row').filter({ hasText: 'Lost CRM' })
  await expect(row.getByText(lost)).toBeVisible()

  await chooseAction(page, 'Lost CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await openGroup(dialog, 'Advanced options')
  // Its group is open, because something is wrong in it.
  await expect(dialog.getByRole('combobox', { name: AUTHENTICATION })).toHaveText('Cannot be read')
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(dialog.getByRole('combobox', { name: AUTHENTICATION })).toHaveAccessibleDescription(
    new RegExp(lost),
  )
  await chooseOption(dialog, AUTHENTICATION, 'Bearer token')
  await dialog.getByRole('textbox', { name: 'Token' }).fill('another-token')
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  await expect(row).toBeVisible()
  await expect(row.getByText(lost)).toHaveCount(0)
})
