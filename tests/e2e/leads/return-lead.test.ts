import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import { callAsAdmin, runSql, type E2eClient } from '#tests/support/browser/e2e-client.ts'

/** Approves the return of a lead as an administrator. */
async function approve(leadId: string): Promise<{ status: string }> {
  const [row] = await runSql('select id from lead_returns where lead_id = $1', [leadId])
  return await callAsAdmin('POST', `/api/v1/admin/returns/${String(row?.['id'])}/approve`, {})
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** A recording of a tenth of a second of silence. */
const WAV = Buffer.concat([
  Buffer.from(
    'RIFF\u0044\u0003\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0\u0040\u001f\0\0\u0040\u001f\0\0\u0001\0\u0008\0data\u0020\u0003\0\0',
    'latin1',
  ),
  Buffer.alloc(800, 128),
])

/** Gives a client a lead that it bought for $25.00; returns its id. */
async function buyLead(client: E2eClient, lead: Record<string, unknown>): Promise<string> {
  const [id = ''] = await client.receiveLeads([lead])
  await runSql('update lead_assignments set price = 25 where lead_id = $1', [id])
  await runSql('update leads set price_charged = 25 where id = $1', [id])
  return id
}

test('a client works on a lead, asks to return it, and reads that its price was credited', async ({
  page,
  client,
}) => {
  const lead = { name: 'Robin Sample', phone: '+15125550143', state: 'TX', zip: '78701', city: 'Austin' }
  const id = await buyLead(client, lead)
  await page.goto(`/leads/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByText(/^\d+:\d\d [AP]M C[SD]T$/)).toBeVisible()
  // By the hours of Texas, which begin at noon on Sundays.
  await expect(main.getByText(/^(OK to call now|Outside (9 AM|12 PM)-9 PM)$/)).toBeVisible()
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
  expect(await approve(id)).toMatchObject({ status: 'approved' })
  await page.reload()
  await expect(main.getByText('Return approved. $25.00 added to your balance.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Returned: do not contact')
  await expect(page.getByText('Robin Sample')).toHaveCount(0)
  await expect(page.getByText('(512) 555-0143')).toHaveCount(0)
  await expect(main.getByRole('button', { name: /Request return|Withdraw|Save notes/ })).toHaveCount(0)
})

test('an account that is not approved reads that files can be attached later', async ({ page, client }) => {
  const id = await buyLead(client, { name: 'Robin Waiting', phone: '+15125550149', state: 'TX' })
  await runSql("update client_accounts set status = 'onboarding' where user_id = $1", [client.id])
  await page.goto(`/leads/${id}`)
  await page.getByRole('button', { name: 'Request return' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('can be attached once your account is approved')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add files' })).toHaveCount(0)
})

test('a client attaches files to a return on a phone, and an administrator opens them and decides', async ({
  page,
  client,
}) => {
  await callAsAdmin('POST', `/api/v1/admin/clients/${client.id}/approve`, {})
  const id = await buyLead(client, { name: 'Robin Evidence', phone: '+15125550147', state: 'TX' })
  const dialog = page.getByRole('dialog')
  const files = page.getByRole('list', { name: 'Evidence' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/leads/${id}`)
  await page.getByRole('button', { name: 'Request return' }).click()
  await dialog.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Number is disconnected' }).click()
  await dialog
    .getByLabel('Add files')
    .first()
    .setInputFiles([
      { name: 'Anruf bei Größe.wav', mimeType: 'audio/wav', buffer: WAV },
      { name: 'screen.png', mimeType: 'image/png', buffer: PNG },
      { name: 'no picture.png', mimeType: 'image/png', buffer: Buffer.from('This is a text.') },
      { name: 'contacts.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') },
    ])
  await expect(files.getByText('Uploaded, 1 KB')).toHaveCount(2)
  const refusal = 'Only recordings, pictures, videos and PDF files can be attached.'
  await expect(files.getByText(refusal)).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Remove contacts.zip' }).click()
  await expect(files.getByRole('listitem')).toHaveCount(3)

  await test.step('files come from the camera, by drop and from the clipboard, five at most', async () => {
    const camera = dialog.getByLabel('Take a photo').first()
    await expect(camera).toHaveAttribute('capture', 'environment')
    await camera.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: PNG })
    const bring = (name: string, kind: 'drop' | 'paste') =>
      page.evaluate(`{
        const data = new DataTransfer()
        data.items.add(new File([Uint8Array.from([${[...PNG].join()}])], '${name}', { type: 'image/png' }))
        const options = { bubbles: true, cancelable: true }
        const form = document.querySelector('[role=dialog] form')
        if ('${kind}' === 'paste') form.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
        else form.querySelector('[role=group]').dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }))
      }`)
    await bring('dropped.png', 'drop')
    await bring('pasted.png', 'paste')
    await expect(files.getByText('Uploaded, 1 KB')).toHaveCount(5)
    for (let time = 0; time < 2; time += 1) {
      await dialog.getByRole('combobox', { name: 'Reason' }).scrollIntoViewIfNeeded()
      await bring('sixth.png', 'paste')
      await expect(dialog.getByRole('alert')).toHaveText('At most 5 files: 1 file left out.')
      await expect(dialog.getByRole('alert')).toBeInViewport()
    }
    for (const name of ['photo.png', 'dropped.png', 'pasted.png'])
      await dialog.getByRole('button', { name: `Remove ${name}` }).click()
    await expect(files.getByText('Uploaded, 1 KB')).toHaveCount(2)
  })

  await test.step('a request that fails keeps the files', async () => {
    const path = `**/api/v1/leads/${id}/return`
    await page.route(path, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Request return' }).click()
    await expect(toast(page, 'The server did not answer. Check your connection.')).toBeVisible()
    await expect(files.getByText('Uploaded, 1 KB')).toHaveCount(2)
    await page.unroute(path)
  })
  await dialog.getByRole('button', { name: 'Request return' }).click()
  await expect(page.getByText('Return requested. It is reviewed within 2 business days.')).toBeVisible()
  await files.getByRole('button', { name: 'Open Anruf bei Größe.wav' }).click()
  const sound = page.locator('audio[aria-label="Anruf bei Größe.wav"]')
  await expect.poll(() => sound.evaluate((audio: { duration: number }) => audio.duration)).toBeCloseTo(0.1)

  await page.setViewportSize({ width: 1280, height: 800 })
  await becomeAdministrator(page)
  await page.goto('/admin/returns')
  await page.getByRole('button', { name: `Evidence of lead ${id.slice(-8)}: 2 files` }).click()
  await files.getByRole('button', { name: 'Open screen.png' }).click()
  const picture = page.getByRole('img', { name: 'screen.png' })
  await expect.poll(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(1)
  const download = page.waitForEvent('download')
  await files.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('screen.png')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: `Approve the return of lead ${id.slice(-8)}` }).click()
  await expect(files.getByRole('listitem')).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Return approved: $25.00 went back to the client')).toBeVisible()
  await page.goto(`/admin/leads/${id}`)
  await expect(files.getByRole('listitem')).toHaveCount(2)
  const opened = await runSql(
    "select 1 from auth.audit_log where action = 'return_evidence_opened' and user_id = $1",
    [client.id],
  )
  expect(opened).toHaveLength(1)
})
