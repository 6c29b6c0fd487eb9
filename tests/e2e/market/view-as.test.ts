import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'

test('an administrator sees a client’s screens under a banner, changes nothing, and is in the audit', async ({
  page,
}) => {
  const client = await signUpClient()
  const business = 'Lone Star Final Expense LLC'
  await runSql('update client_accounts set business_name = $2 where user_id = $1', [client.id, business])
  await client.addWebhook({
    endpoint_url: 'https://crm.example.com/hook',
    webhook_name: 'Their CRM',
    trigger_on_lead_assigned: false,
  })
  const [lead] = await client.receiveLeads([{ name: 'Rosa Example', email: 'rosa@example.com' }])
  const unread = async () =>
    (await client.call<{ unread_lead_count: number }>('GET', '/api/v1/me')).unread_lead_count
  expect(await unread()).toBe(1)
  await runSql(
    `with asked as (
      insert into lead_returns (assignment_id, lead_id, client_user_id, reason)
      select id, lead_id, client_user_id, 'disconnected_number' from lead_assignments where lead_id = $1 returning id
    ), bytes as (insert into file_contents (sha256, size) values (sha256($1::text::bytea), 1) returning sha256)
    insert into stored_files (bucket_id, name, account_id, lead_id, return_id, sha256, size, content_type, cache_control)
    select 'evidence', $2::text || '/call.png', $2::uuid, $1::uuid, asked.id, bytes.sha256, 1, 'image/png', 'no-cache'
    from asked, bytes`,
    [lead, client.id],
  )
  await becomeAdministrator(page)
  await page.goto(`/admin/clients/${client.id}`)
  await page.getByRole('button', { name: 'View as client' }).click()
  const strip = page.getByText(`You see this as ${business}. Nothing can be changed.`)

  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(strip).toBeVisible()
  await page.goto('/leads')
  await page.getByRole('link', { name: 'Rosa Example' }).first().click()
  await expect(page).toHaveURL(new RegExp(`/leads/${lead}`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rosa Example')
  await expect(strip).toBeVisible()
  await expect(page.getByRole('list', { name: 'Evidence' })).toContainText('call.png')
  await expect(page.getByText('While you view as a client, files stay closed.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Open call/ })).toHaveCount(0)
  expect(await unread()).toBe(1)
  for (const path of ['/orders', '/settings?tab=billing', '/client-integrations?view=configure']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(strip).toBeVisible()
  }
  await expect(page.getByRole('table').getByText('Their CRM')).toBeVisible()
  await expectToFitAnySize(page, 'the screens of a client, seen by an administrator')
  expect(await findFaults(page)).toEqual([])

  const tested = page.waitForResponse('**/functions/v1/test-webhook-endpoint')
  await page.getByRole('button', { name: 'Actions for Their CRM' }).click()
  await page.getByRole('menuitem', { name: 'Test Endpoint' }).click()
  expect((await tested).status()).toBe(403)
  expect((await tested).request().headers()['x-view-as']).toBe(client.id)
  const written: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/auth/v1/')) written.push(request.url())
  })
  const ask = async (method: string, call: string) =>
    await page.evaluate(
      async (init) => {
        const answer = await fetch(init.url, { method: init.method })
        return [answer.status, await answer.text()] as const
      },
      { method, url: new URL(`/auth/v1/${call}`, page.url()).href },
    )
  for (const [method, call] of [
    ['PUT', 'user'],
    ['POST', 'factors'],
    ['POST', 'logout?scope=others'],
    ['GET', 'reauthenticate'],
  ] as const)
    expect(await ask(method, call), call).toEqual([403, expect.stringContaining('Nothing can be changed.')])
  expect(written).toEqual([])
  for (const call of ['token?grant_type=refresh_token', 'logout?scope=local'])
    expect((await ask('POST', call))[0], call).not.toBe(403)

  await page.goto('/admin')
  const gate = page.getByRole('main')
  await expect(gate).toContainText('You are viewing a client’s screens')
  expect(await findFaults(page)).toEqual([])
  await gate.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(strip).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await page.goto(`/admin/clients/${client.id}`)
  await page.getByRole('button', { name: 'View as client' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.getByRole('button', { name: 'Stop viewing' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/clients/${client.id}`))
  await page.getByRole('tab', { name: 'Audit' }).click()
  await expect(page.getByRole('table', { name: 'Audit' })).toContainText('saw the client’s screens')
  await expect(strip).toBeHidden()
})
