import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'

test.use({ session: SIGNED_OUT })

const dialog = (page: Page) => page.getByRole('dialog')

test('an administrator adds a test source and shares its posting spec; anyone with the link sends a test lead until the link ends', async ({
  page,
}) => {
  const name = `Vendor ${crypto.randomUUID().slice(0, 8)}`
  const row = page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: name })
  let link = ''
  await becomeAdministrator(page)
  await page.goto('/admin/sources')
  await test.step('the source is added, and its key is shown once', async () => {
    await page.getByRole('button', { name: 'Add source' }).click()
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog(page).getByRole('button', { name: 'Add source' }).click()
    await expect(dialog(page).getByRole('region', { name: 'API key' })).toHaveText(/^lw_src_[\w-]{43}$/)
    await dialog(page).getByRole('button', { name: 'Done' }).click()
    await expect(row).toContainText('Test mode')
  })
  await test.step('the source is switched to live', async () => {
    await page.getByRole('button', { name: `Go live with ${name}` }).click()
    await expect(row).toContainText('Live')
  })
  await test.step('a link to the posting spec is created', async () => {
    await page.getByRole('button', { name: `Share the posting spec of ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Create link' }).click()
    const shown = dialog(page).getByRole('region', { name: 'Link' })
    await expect(shown).toContainText('/posting-specs/lw_spec_')
    link = new URL((await shown.textContent()) ?? '').pathname
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  })
  await test.step('the posting spec is read without an account, and an invalid lead shows its error at the field', async () => {
    await page.evaluate(() => localStorage.clear())
    await page.goto(link)
    await expect(page.getByRole('heading', { name: `Posting specification: ${name}` })).toBeVisible()
    await expect(page.getByRole('region', { name: 'cURL' })).toContainText('Bearer YOUR_API_KEY')
    await expect(page.getByRole('list', { name: 'Fields' }).getByText('trustedform_cert_url')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectToFitAnySize(page, 'the posting specification')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('textbox', { name: 'phone', exact: true }).fill('123')
    await page.getByRole('button', { name: 'Send test lead' }).click()
    await expect(page.getByText('Is not a valid phone number').first()).toBeVisible()
    await page.getByRole('textbox', { name: 'phone', exact: true }).fill('(202) 555-0143')
    await page.getByRole('button', { name: 'Send test lead' }).click()
    await expect(page.getByText('201 · Accepted as a test')).toBeVisible()
  })
  const leads = await runSql(
    'select l.is_test, l.name from leads l join sources s on s.id = l.source_id where s.name = $1',
    [name],
  )
  expect(leads).toEqual([{ is_test: true, name: 'Rosa Example' }])
  await test.step('an ended link leads nowhere', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await becomeAdministrator(page)
    await page.goto('/admin/sources')
    await page.getByRole('button', { name: `Share the posting spec of ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'End all links' }).click()
    await expect(page.getByText('All links are invalid now')).toBeVisible()
    await page.goto(link)
    await expect(page.getByText('This link is not valid any more')).toBeVisible()
  })
})

test('an administrator adds a key, revokes the old one, and stops the source with a reason', async ({
  page,
}) => {
  const name = `Vendor ${crypto.randomUUID().slice(0, 8)}`
  const row = page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: name })
  const keys = page.getByRole('list', { name: 'Keys' }).getByRole('listitem')
  await becomeAdministrator(page)
  await page.goto('/admin/sources')
  await page.getByRole('button', { name: 'Add source' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog(page).getByRole('button', { name: 'Add source' }).click()
  const shown = dialog(page).getByRole('region', { name: 'API key' })
  const old = (await shown.textContent()) ?? ''
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await test.step('a second key is shown once, and the old key is revoked', async () => {
    await page.getByRole('button', { name: `Keys of ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Add key' }).click()
    await expect(shown).toHaveText(/^lw_src_[\w-]{43}$/)
    await expect(shown).not.toHaveText(old)
    await expect(keys).toHaveCount(2)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectToFitAnySize(page, 'the keys of a source')
    expect(await findFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await keys
      .filter({ hasText: old.slice(0, 13) })
      .getByRole('button')
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
    await expect(keys.filter({ hasText: old.slice(0, 13) })).toContainText('Revoked')
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(row).toContainText('Test mode')
  })
  await test.step('the source is paused for a reason, which its row says, and resumed', async () => {
    await page.getByRole('button', { name: `Pause ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Pause source' }).click()
    await expect(dialog(page)).toContainText('Say why')
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Sends the same person again and again')
    await dialog(page).getByRole('button', { name: 'Pause source' }).click()
    await expect(row).toContainText(/Paused.* by .*Sends the same person again and again/)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectToFitAnySize(page, 'a paused source')
    expect(await findFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: `Resume ${name}` }).click()
    await expect(dialog(page)).toContainText('Sends the same person again and again')
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Its form is corrected')
    await dialog(page).getByRole('button', { name: 'Resume source' }).click()
    await expect(row).toContainText('Test mode')
  })
  await test.step('the source is stopped for a reason, and cannot be changed any more', async () => {
    await page.getByRole('button', { name: `Stop ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Stop source' }).click()
    await expect(dialog(page)).toContainText('Say why')
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Sent forged leads')
    await dialog(page).getByRole('button', { name: 'Stop source' }).click()
    await expect(row).toContainText('Stopped')
    // Leads that it has sold can still be recalled.
    await expect(row.getByRole('button')).toHaveText(['Recall'])
  })
  const stopped = await runSql('select stop_reason from sources where name = $1', [name])
  expect(stopped).toEqual([{ stop_reason: 'Sent forged leads' }])
})
