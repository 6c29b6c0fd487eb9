import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { beginSession, expect, test } from '#tests/support/browser/browser.ts'
import { newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readMail } from '#tests/support/browser/e2e-mails.ts'

const WEBHOOK_AWAY = 'http://127.0.0.1:4999/refused'

async function expectNoFaults(page: Page, what: string) {
  expect(await findFaults(page)).toEqual([])
  await expectToFitAnySize(page, what)
}

test('a person revokes by a code, the client reads Do not contact first and acknowledges, and administrators see every holder', async ({
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
  for (const earlier of [await signUpClient(), await signUpClient()])
    await runSql(
      `insert into lead_assignments (lead_id, client_user_id, state) values ($1, $2, 'returned')`,
      [lead, earlier.id],
    )

  await test.step('the public page sends a code, refuses a wrong one, and revokes', async () => {
    await page.goto('/revoke')
    await expectNoFaults(page, 'revoking')
    await page.getByLabel('Your phone or email').fill(person.email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    const code = page.getByLabel('Code')
    await expect(code).toBeFocused()
    await code.fill('00000')
    await page.getByRole('button', { name: 'Revoke my consent' }).click()
    await expect(page.getByText('Type the six digits')).toBeVisible()
    const mail = await readMail(person.email, 'Your code to take your consent back')
    // As some people paste it.
    await code.fill(`${mail.code.slice(0, 3)} ${mail.code.slice(3)}`)
    await expectNoFaults(page, 'the code')
    await page.getByRole('button', { name: 'Revoke my consent' }).click()
    await expect(page.getByRole('heading', { name: 'Your consent is revoked' })).toBeFocused()
  })

  await test.step('the lead says Do not contact before anything else, and is acknowledged in the list', async () => {
    await beginSession(page, client.session)
    await page.goto(`/leads/${lead}`)
    await expect(page.getByText('Do not contact', { exact: true }).first()).toBeVisible()
    await expect(page.getByText(/10 business days left/)).toBeVisible()
    await expect(page.locator('a[href^="tel:"], a[href^="mailto:"]')).toHaveCount(0)
    await expectNoFaults(page, 'a revoked lead')
    await page.goto('/dashboard')
    await expect(page.getByRole('main').getByRole('listitem').getByText('Do not contact')).toBeVisible()
    await expectToFitAnySize(page, 'a revoked lead on the dashboard')
    await page.getByRole('combobox', { name: 'Search leads' }).fill('alvarez-whit')
    const found = page.getByRole('option').filter({ hasText: 'Rosa Alvarez-Whitfield' })
    await expect(found.getByText('Do not contact')).toBeVisible()
    await expectToFitAnySize(page, 'a revoked lead that was searched for')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search leads and commands' }).fill('alvarez-whit')
    await expect(found.getByText('Do not contact')).toBeVisible()
    await expectToFitAnySize(page, 'a revoked lead among the commands')
    await page.goto('/leads')
    const row = page.getByRole('row').filter({ hasText: 'Rosa Alvarez-Whitfield' })
    await expect(row.getByText('Do not contact')).toBeVisible()
    await expect(page.locator('a[href^="tel:"], a[href^="mailto:"]')).toHaveCount(0)
    await expectNoFaults(page, 'a revoked lead in the list')
    const size = page.viewportSize()
    await page.setViewportSize(PHONE)
    await expect(row.getByText('Do not contact')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Do not contact', exact: true }).click()
    await page.waitForURL('**/do-not-contact')
    if (size !== null) await page.setViewportSize(size)
    await expect(page.getByRole('link', { name: 'Rosa Alvarez-Whitfield' })).toBeVisible()
    await expectNoFaults(page, 'leads not to contact')
    await page.getByRole('button', { name: 'Acknowledge Rosa Alvarez-Whitfield' }).click()
    await expect(page.locator('section:focus').getByText('Nothing to acknowledge')).toBeVisible()
    await page.goto('/do-not-contact?show=all')
    await expect(page.getByText('Acknowledged', { exact: true })).toBeVisible()
    await runSql(
      `with more as (insert into leads (lead_type) select 'final_expense' from generate_series(1, 120) returning id)
       insert into revocation_holders (revocation_id, lead_id, client_user_id, due_at, created_at)
       select h.revocation_id, more.id, h.client_user_id, h.due_at, h.created_at - interval '1 minute'
       from more, revocation_holders h where h.lead_id = $1 and h.client_user_id = $2`,
      [lead, client.id],
    )
    await page.getByRole('link', { name: 'Proof' }).click()
    await expect(page.getByRole('heading', { name: 'Revocation of consent' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(121)
    await runSql(`delete from revocation_holders where client_user_id = $1 and lead_id <> $2`, [
      client.id,
      lead,
    ])
    await expect(page.getByText(person.email)).toHaveCount(0)
    await expectNoFaults(page, 'the proof')
  })

  await test.step('an administrator sees all three clients that held the lead in turn', async () => {
    await becomeAdministrator(page)
    await page.goto(`/admin/leads?search=${person.email}`)
    const row = page.getByRole('row').filter({ hasText: 'Rosa Alvarez-Whitfield' })
    await expect(row.getByText('Do not contact')).toBeVisible()
    await expectNoFaults(page, 'a revoked lead among all')
    await page.goto(`/admin/leads/${lead}`)
    await page.getByRole('main').getByRole('link', { name: 'Holders and receipts' }).click()
    await expect(page.getByText('Holders: 1 of 3 acknowledged')).toBeVisible()
    await expect(page.getByText('Holds the lead')).toHaveCount(1)
    await expect(page.getByText('Held the lead')).toHaveCount(2)
    await expectNoFaults(page, 'three holders')
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
  await runSql(
    `with held as (
      select id, lead_id from lead_assignments where lead_id = $2 and state = 'active'
    ), reported as (
      insert into lead_outcomes (lead_id, assignment_id, client_user_id, webhook_config_id, outcome, amount, note)
      select lead_id, id, $1, uuid_v7(), 'sold', 1200, 'Whole life, starts in March' from held
    )
    insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts, ours_ms,
      price, credit, reason)
    select id, lead_id, $1, 'final_expense', now() - interval '9 seconds', now() - interval '8 seconds', now(), now(),
      '[{"part": "sale", "ms": 6000, "is_ours": true}, {"part": "own_requests", "ms": 2000, "is_ours": false}]', 6000, 25, 'unclear', 'clock_jumped'
    from held`,
    [client.id, lead],
  )
  await becomeAdministrator(page)
  await page.goto(`/admin/leads/${lead}`)
  const main = page.getByRole('main')
  await expect(main.getByText(/Its client acknowledged/)).toBeVisible()
  await expect(page.locator('a[href^="tel:"], a[href^="mailto:"]')).toHaveCount(0)
  await expect(main.getByText('Whole life, starts in March')).toBeVisible()
  await expect(main.getByText('The client’s own requests kept it back')).toBeVisible()
  await expectNoFaults(page, 'a revoked lead in the administration')
  await expect(main.getByRole('link', { name: 'Decide', exact: true })).toBeVisible()
  await page.goto('/admin/needs-you')
  const late = main.getByRole('listitem').filter({ hasText: client.id.slice(-6) })
  await expect(late.filter({ hasText: 'Clock jumped' })).toContainText('$25.00')
  await main.getByRole('link', { name: 'Decide late leads' }).click()
  await expect(main.getByRole('button', { name: /^Decide about the lead/ }).first()).toBeVisible()
  const lates = '**/api/v1/admin/late-leads'
  await page.route(lates, (route) => route.fulfill({ status: 403 }))
  await page.reload()
  await expect(main.getByText('The late leads to be decided could not be loaded.')).toBeVisible()
  await page.unroute(lates)
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

  const reader = await signUpClient()
  const giveRole = (role: 'admin' | 'client', of: 'read_only' | null) =>
    runSql('update profiles set role = $2, admin_role = $3 where user_id = $1', [reader.id, role, of])
  await giveRole('admin', 'read_only')
  await beginSession(page, reader.session)
  await page.goto(`/admin/leads/${lead}`)
  await expect(main.getByText('The client’s own requests kept it back')).toBeVisible()
  await expect(main.getByRole('link', { name: 'Decide', exact: true })).toHaveCount(0)
  await giveRole('client', null)
})
