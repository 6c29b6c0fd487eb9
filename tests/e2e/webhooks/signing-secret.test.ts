import { expect, test } from '#tests/support/browser/browser.ts'
import { chooseAction, openConfigurations } from '#tests/support/browser/integrations-page.ts'

test('the signing secret is revealed, copied and explained', async ({ page, client, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await client.addWebhook({
    webhook_name: 'Signed CRM',
    endpoint_url: 'http://127.0.0.1:4999/signed',
  })
  const { secret } = await client.call<{ secret: string }>('GET', `/api/v1/webhook-configs/${id}/secret`)
  await openConfigurations(page)
  await chooseAction(page, 'Signed CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await dialog.getByRole('button', { name: 'Signing secret' }).click()
  await expect(dialog.getByRole('button', { name: 'Reveal' })).toBeEnabled()
  await expect(dialog.getByText(secret)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
  await dialog.getByRole('button', { name: 'Reveal' }).click()
  await expect(dialog.getByText(secret, { exact: true })).toBeVisible()
  for (const language of ['Node', 'Python', 'PHP', 'Ruby', 'Go', 'Java']) {
    await dialog.getByRole('tab', { name: language }).click()
    const sample = dialog.getByRole('region', { name: `${language} verification` })
    await expect(sample).toContainText('WEBHOOK_SECRET')
    await expect(sample).not.toContainText(secret.slice(6))
  }
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect(dialog.getByText(secret, { exact: true })).toHaveCount(0)
  await context.clearPermissions()
})

test('the signing secret is rotated, and the old secret is ended', async ({ page, client }) => {
  const id = await client.addWebhook({
    webhook_name: 'Rotated CRM',
    endpoint_url: 'http://127.0.0.1:4999/rotated',
  })
  const path = `/api/v1/webhook-configs/${id}/secret`
  const { secret } = await client.call<{ secret: string }>('GET', path)
  await openConfigurations(page)
  await chooseAction(page, 'Rotated CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await dialog.getByRole('button', { name: 'Signing secret' }).click()
  const question = page.getByRole('alertdialog')

  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await client.call('GET', path)).toMatchObject({ secret, previous_expires_at: null })

  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await question.getByRole('button', { name: 'Rotate' }).click()
  await expect(dialog.getByText('Two secrets sign at the moment')).toBeVisible()
  await expect(dialog.getByText(/signs too until \w+ \d+, \d{4}/)).toBeVisible()
  const rotated = await client.call<{ secret: string }>('GET', path)
  expect(rotated.secret).not.toBe(secret)
  await dialog.getByRole('button', { name: 'Reveal' }).click()
  await expect(dialog.getByText(rotated.secret, { exact: true })).toBeVisible()

  await dialog.getByRole('button', { name: 'End now' }).click()
  await question.getByRole('button', { name: 'End now' }).click()
  // The question closes when it is done; until then the dialog below is hidden, with all of its text.
  await expect(question).toHaveCount(0)
  await expect(dialog.getByText('Two secrets sign at the moment')).toHaveCount(0)
  expect(await client.call('GET', path)).toEqual({
    secret: rotated.secret,
    previous_expires_at: null,
    public_keys: [],
  })
})

test('a public-key signature is chosen, and its key is shown once it is saved', async ({ page, client }) => {
  const id = await client.addWebhook({
    webhook_name: 'Public CRM',
    endpoint_url: 'http://127.0.0.1:4999/public',
  })
  await openConfigurations(page)
  await chooseAction(page, 'Public CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  const group = dialog.getByRole('button', { name: 'Public-key signature' })
  await expect(group).toHaveAccessibleDescription('Off')
  await group.click()
  await dialog.getByRole('switch', { name: 'Also sign with Ed25519' }).click()
  await expect(group).toHaveAccessibleDescription('Ed25519 beside HMAC')
  await expect(dialog.getByText('once you have pressed Update')).toBeVisible()
  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(dialog).toBeHidden()

  const { public_keys: keys } = await client.call<{ public_keys: { public_key: string }[] }>(
    'GET',
    `/api/v1/webhook-configs/${id}/secret`,
  )
  await chooseAction(page, 'Public CRM', 'Edit')
  await group.click()
  await expect(dialog.getByRole('list', { name: 'Public keys' })).toContainText(keys[0]?.public_key ?? 'none')
})
