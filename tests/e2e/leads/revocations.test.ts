import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { beginSession, expect, test } from '#tests/support/browser/browser.ts'
import { newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readMail } from '#tests/support/browser/e2e-mails.ts'

const WEBHOOK_AWAY = 'http://127.0.0.1:4999/refused'

async function expectNoFaults(page: Page, what: string) {
  expect(await findFaults(page)).toEqual([])
  await expectToFitAnySize(page, what)
}

test('a person revokes by a code, and the client reads Do not contact first and acknowledges', async ({
  page,
}) => {
  const person = {
    first_name: 'Rosa',
    last_name: 'Alvarez-Whitfield',
    email: newEmail(),
    phone: '+12025550143',
  }
  const client = await signUpClient()
  await client.addWebhook({ endpoint_url: WEBHOOK_AWAY })
  const [lead = ''] = await client.receiveLeads([person])

  await test.step('the public page sends a code, refuses a wrong one, and revokes', async () => {
    await page.goto('/revoke')
    await expectNoFaults(page, 'revoking')
    await page.getByLabel('Your phone or email').fill(person.email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByLabel('Code').fill('00000')
    await page.getByRole('button', { name: 'Revoke my consent' }).click()
    await expect(page.getByText('Type the six digits')).toBeVisible()
    const mail = await readMail(person.email, 'Your code to take your consent back')
    await page.getByLabel('Code').fill(mail.code)
    await expectNoFaults(page, 'the code')
    await page.getByRole('button', { name: 'Revoke my consent' }).click()
    await expect(page.getByRole('heading', { name: 'Your consent is revoked' })).toBeVisible()
  })

  await test.step('the lead says Do not contact before anything else, and is acknowledged in the list', async () => {
    await beginSession(page, client.session)
    await page.goto(`/leads/${lead}`)
    await expect(page.getByText('Do not contact', { exact: true }).first()).toBeVisible()
    await expect(page.getByText(/10 business days left/)).toBeVisible()
    await expect(page.locator('a[href^="tel:"], a[href^="mailto:"]')).toHaveCount(0)
    await expectNoFaults(page, 'a revoked lead')
    await page.goto('/do-not-contact')
    await expect(page.getByRole('link', { name: 'Rosa Alvarez-Whitfield' })).toBeVisible()
    await expectNoFaults(page, 'leads not to contact')
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await expect(page.getByText('Nothing to acknowledge')).toBeVisible()
    await page.goto('/do-not-contact?show=all')
    await expect(page.getByText('Acknowledged', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Proof' }).click()
    await expect(page.getByRole('heading', { name: 'Revocation of consent' })).toBeVisible()
    await expect(page.getByText(person.email)).toHaveCount(0)
    await expectNoFaults(page, 'the proof')
  })
})

test('an administrator reads holders and receipts, and decides what waits', async ({ page }) => {
  const client = await signUpClient()
  await runSql('update client_accounts set business_name = $2 where user_id = $1', [
    client.id,
    `Whitfield, Abernathy & Montgomery Senior Insurance Partners ${client.id.slice(-6)}`,
  ])
  const [lead = '', other = ''] = await client.receiveLeads([
    { first_name: 'Rosa', phone: '+12025550144' },
    { first_name: 'Ana', phone: '+12025550145' },
  ])
  const { revocation_id: id } = await client.call<{ revocation_id: string }>(
    'POST',
    `/api/v1/leads/${lead}/revocation`,
  )
  await client.call('POST', `/api/v1/leads/${lead}/revocation/acknowledge`)
  await runSql(
    `insert into revocations (reported_by, reach, status, client_user_id, lead_ids)
     values ('client', 'client', 'waiting', $1, array[$2::uuid])`,
    [client.id, other],
  )
  await becomeAdministrator(page)
  await page.goto(`/admin/compliance/${id}`)
  await expect(page.getByText('Holders: 1 of 1 acknowledged')).toBeVisible()
  await expectNoFaults(page, 'a revocation')
  await page.goto('/admin/compliance?status=waiting')
  const waiting = page.getByRole('row').filter({ hasText: client.id.slice(-6) })
  await expect(waiting).toHaveCount(1)
  await expectNoFaults(page, 'revocations')
  await waiting.getByRole('button', { name: /^Decline/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Reported by mistake')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(waiting).toHaveCount(0)
})
