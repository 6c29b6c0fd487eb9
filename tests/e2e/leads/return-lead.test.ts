import { expect, test, toast } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'

/** Approves a return as an administrator; returns the status. */
async function approve(leadId: string): Promise<number> {
  const { server, admin } = readEnvironment()
  const post = (path: string, body: unknown, token = '') =>
    fetch(server + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const session = await post('/auth/v1/token?grant_type=password', admin)
  const { access_token } = (await session.json()) as { access_token: string }
  const [row] = await runSql('select id from lead_returns where lead_id = $1', [leadId])
  return (await post(`/api/v1/admin/returns/${String(row?.['id'])}/approve`, {}, access_token)).status
}

test('a client works on a lead, asks to return it, and reads that its price was credited', async ({
  page,
  client,
}) => {
  const [id = ''] = await client.receiveLeads([
    { name: 'Robin Sample', phone: '+15125550143', state: 'TX', zip: '78701', city: 'Austin' },
  ])
  await runSql('update lead_assignments set price = 25 where lead_id = $1', [id])
  await runSql('update leads set price_charged = 25 where id = $1', [id])
  await page.goto(`/leads/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByText(/^\d+:\d\d [AP]M C[SD]T$/)).toBeVisible()
  await expect(main.getByText(/^(OK to call now|Outside 8 AM-9 PM)$/)).toBeVisible()
  await main.getByRole('combobox', { name: 'Disposition' }).click()
  await page.getByRole('option', { name: 'Contacted' }).click()
  await expect(main.getByRole('listitem').filter({ hasText: 'Disposition changed' })).toContainText(
    'contacted',
  )
  await main.getByRole('textbox', { name: 'Notes' }).fill('Call again on Monday')
  await main.getByRole('button', { name: 'Save notes' }).click()
  await expect(toast(page, 'Notes saved')).toBeVisible()

  await test.step('a printed lead has the notes and no buttons', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Leads' })).toBeHidden()
    await expect(main.getByRole('combobox', { name: 'Disposition' })).toHaveText('Contacted')
    await expect(main.getByText('Call again on Monday')).toBeVisible()
    await page.emulateMedia({ media: null })
  })

  await expect(main.getByText('$25.00')).toBeVisible()
  await main.getByRole('button', { name: 'Request return' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request return' })
  await expect(dialog.getByRole('combobox', { name: 'Reason' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Request return' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a reason')
  await dialog.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Did not request contact' }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('no')
  await dialog.getByRole('button', { name: 'Request return' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Say what happened, in at least 10 characters')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Says that she never asked')
  await dialog.getByRole('button', { name: 'Request return' }).click()

  await expect(main.getByText('Return requested. It is reviewed within 2 business days.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  expect(await approve(id)).toBe(200)
  await page.reload()
  await expect(main.getByText('Return approved. $25.00 added to your balance.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Returned: do not contact')
  await expect(page.getByText('Robin Sample')).toHaveCount(0)
  await expect(page.getByText('(512) 555-0143')).toHaveCount(0)
  await expect(main.getByRole('button', { name: /Request return|Withdraw|Save notes/ })).toHaveCount(0)
})
