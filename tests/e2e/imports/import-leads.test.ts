import type { Page } from '@playwright/test'
import { findFaults, readWidth } from '#scripts/look/find-faults.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'

const NARROW = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 800 }

/**
 * Checks a step on wide and narrow screens, in light and dark: no horizontal scrolling, and no accessibility
 * fault.
 */
async function look(page: Page, step: string): Promise<void> {
  for (const [size, colorScheme] of [
    [NARROW, 'dark'],
    [WIDE, 'light'],
  ] as const) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    const folder = process.env['LOOK']
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${step}-${size.width}.png`, fullPage: true })
    expect.soft(await readWidth(page), step).toBeLessThanOrEqual(size.width)
    expect.soft(await findFaults(page), step).toEqual([])
  }
}

/** A source for the market, and a client whose order takes forty leads of a type that nobody else wants. */
async function givenMarket() {
  const client = await signUpClient()
  const name = `Landing page of ${client.email.slice(0, 20)}`
  const type = `of_${client.id.slice(-12)}`
  await runSql('insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10)', [type])
  await runSql(
    `insert into sources (name, auto_assign, api_key_hash, api_key_prefix)
     values ($1, true, sha256(convert_to($1, 'utf8')), 'lw_src_x')`,
    [name],
  )
  await runSql(`update client_accounts set status = 'active' where user_id = $1`, [client.id])
  await runSql(
    `insert into balance_ledger (client_user_id, entry_type, amount, reference_id) values ($1::uuid, 'top_up', 5000, $1::uuid::text)`,
    [client.id],
  )
  const order = { name: 'Forty', lead_type: type, timezone: 'UTC', total_cap: 40, active: true }
  await client.call('POST', '/api/v1/orders', order)
  return { client, name, type }
}

test('an administrator imports a file: chooses it, maps and previews it, follows it, and downloads the refused rows', async ({
  page,
}) => {
  const { client, name, type } = await givenMarket()
  const rows = Array.from({ length: 10_000 }, (_, at) =>
    at === 1 ? `José;Nobody;no address;CA;=1+1` : `José;Example ${at};lead-${at}@example.com;CA;said`,
  )
  const file = Buffer.from(`First Name;Surname;E-Mail;State;Said\r\n${rows.join('\r\n')}\r\n`, 'latin1')
  await becomeAdministrator(page)
  await page.goto('/admin/sources?tab=import')

  await test.step('a source and a file are required, then the file is uploaded and read', async () => {
    await page.getByRole('button', { name: 'Import leads' }).click()
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('Choose a file')).toBeVisible()
    await page.getByRole('combobox', { name: 'Source' }).click()
    await page.getByRole('option', { name }).click()
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'spring leads.csv', mimeType: 'text/csv', buffer: file })
    await look(page, 'upload')
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('10,000 rows, read as Windows-1252 (Latin-1)')).toBeVisible()
  })
  await test.step('columns are guessed from their names, and missing fields are named', async () => {
    const becomes = (column: string) => page.getByRole('combobox', { name: `What ${column} becomes` })
    await expect(becomes('Surname')).toContainText('Last name')
    await expect(becomes('Said')).toContainText('Not imported')
    await expect(page.getByText('Still needed: the lead type.')).toBeVisible()
    await becomes('Said').click()
    await page.getByRole('option', { name: 'Own field “said”' }).click()
    await page.getByRole('combobox', { name: 'Lead type of every row' }).click()
    await page.getByRole('option', { name: type, exact: true }).click()
    await look(page, 'columns')
    await page.getByRole('button', { name: 'Preview' }).click()
  })
  await test.step('the preview says what each row becomes, or why it is refused', async () => {
    await expect(
      page.getByText('The first 20 rows: 19 would become leads, 1 would be refused.'),
    ).toBeVisible()
    await expect(page.getByText('Email: Is not a valid e-mail address')).toBeVisible()
    await look(page, 'preview')
    await page.getByRole('button', { name: 'Import 10,000 rows' }).click()
  })
  await test.step('its progress shows, and it ends with a report of sold and unsold leads and of refused rows', async () => {
    await expect(page.getByRole('progressbar', { name: 'Rows taken' })).toBeVisible()
    await expect(page.getByText('9,999 leads imported')).toBeVisible({ timeout: 200_000 })
    await expect(page.getByRole('status', { name: 'Sold and unsold' })).toContainText(
      'Of 9,999 leads from this source in that time: 40 sold for $1,000.00, 9,959 unsold.',
      { timeout: 60_000 },
    )
    await look(page, 'report')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download refused rows' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('refused spring leads.csv')
    const pieces = await Array.fromAsync(await download.createReadStream())
    expect(Buffer.concat(pieces as Buffer[]).toString()).toContain(
      `3,refused,E-Mail: Is not a valid e-mail address,José,Nobody,no address,CA,'=1+1\r\n`,
    )
  })
  await test.step('the import is in the list, and its client has the leads', async () => {
    await page.getByRole('button', { name: 'All imports' }).click()
    const row = page.getByRole('table', { name: 'Imports' }).getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Finished')
    await look(page, 'list')
    const { data } = (await client.call('GET', '/api/v1/leads?limit=1')) as { data: { source: string }[] }
    expect(data.map(({ source }) => source)).toEqual([name])
  })
})

test('an administrator has a file read again in another encoding, with another row as its header', async ({
  page,
}) => {
  const name = `Old machine ${Date.now()}`
  await runSql(
    `insert into sources (name, auto_assign, api_key_hash, api_key_prefix)
     values ($1, false, sha256(convert_to($1, 'utf8')), 'lw_src_x')`,
    [name],
  )
  const text = `Leads of spring;2026\nJos\x8e Example;\nName;E-Mail\nJos\x8e N\x9c\x96ez;jose@example.com\n`
  await becomeAdministrator(page)
  await page.goto('/admin/sources?tab=import')
  await page.getByRole('button', { name: 'Import leads' }).click()
  await page.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name }).click()
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'titled.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') })
  await page.getByRole('button', { name: 'Upload' }).click()

  await expect(page.getByText('The letters look like Mac OS Roman')).toBeVisible()
  await expect(page.getByText('columns named by row 1.')).toBeVisible()
  await look(page, 'suggested')
  await page.getByRole('button', { name: 'Read as Mac OS Roman' }).click()
  await expect(page.getByText('read as Mac OS Roman')).toBeVisible()
  await expect(page.getByText('The letters look like')).toBeHidden()

  await page.getByRole('button', { name: 'Letters or columns look wrong?' }).click()
  await page.getByRole('combobox', { name: 'Columns named by' }).click()
  await look(page, 'header')
  await page.getByRole('option', { name: 'Row 3: Name | E-Mail' }).click()
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByText('columns named by row 3.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'What E-Mail becomes' })).toContainText('Email')
  await expect(page.getByText('José Núñez')).toBeVisible()
})
