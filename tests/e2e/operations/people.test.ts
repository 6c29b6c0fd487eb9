import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { beginSession, expect, SESSION_KEY, test } from '#tests/support/browser/browser.ts'
import { runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const reasonOf = (page: Page) => dialog(page).getByRole('textbox', { name: 'Reason' })

/** Creates a client with a verified second factor. */
async function givenFactor() {
  const client = await signUpClient()
  await runSql(
    `insert into auth.factors (user_id, friendly_name, factor_type, status, secret_sealed)
     values ($1, '', 'totp', 'verified', 'sealed')`,
    [client.id],
  )
  return client
}

test('an owner gives roles, resets a second factor, and reads, filters and exports all of it in the audit log', async ({
  page,
}) => {
  const [locked, helper] = [await givenFactor(), await signUpClient()]
  await becomeAdministrator(page)
  await page.goto('/settings?tab=team')
  await expect(page.getByRole('tab', { name: 'Profile', selected: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Team' }), 'administrators are in no account').toHaveCount(0)
  await page.goto('/admin/people')
  const row = page
    .getByRole('table', { name: 'Administrators' })
    .getByRole('row')
    .filter({ hasText: helper.email })

  let accepted = ''

  await test.step('somebody with an account is invited', async () => {
    await page.getByRole('button', { name: 'Invite an administrator' }).click()
    await dialog(page).getByRole('textbox', { name: 'Email' }).fill(helper.email)
    await dialog(page)
      .getByRole('radio', { name: /^Support/ })
      .check()
    await dialog(page).getByRole('button', { name: 'Invite' }).click()
    await expect(dialog(page).getByText('Say why')).toBeVisible()
    await reasonOf(page).fill('New in the team')
    await expectSound(page, 'the invitation')
    await dialog(page).getByRole('button', { name: 'Invite' }).click()
    await expect(row).toContainText('Support')
    await expect(row).toContainText('Invited')
  })
  await test.step('and is an administrator once the mailed link is opened', async () => {
    const { link } = await readMail(helper.email, 'You are invited to Leadwire')
    await openMailLink(page, link)
    await expect(page).toHaveURL(({ pathname }) => pathname === '/admin')
    const readStored = () => page.evaluate<string>(`localStorage.getItem('${SESSION_KEY}')`)
    await expect.poll(readStored).toContain(helper.email)
    // Addresses are confirmed without a mail here, so the password of whoever registered this one has ended.
    await page.getByRole('textbox', { name: 'New password' }).fill('Own-Lantern-71')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByRole('heading', { name: 'Choose a password' })).toHaveCount(0)
    accepted = await readStored()
    await becomeAdministrator(page)
    await page.goto('/admin/people')
    await expect(row).toContainText('Missing')
  })
  await test.step('the role is changed', async () => {
    await row.getByRole('button', { name: 'Change role' }).click()
    await dialog(page)
      .getByRole('radio', { name: /^Read-only/ })
      .check()
    await reasonOf(page).fill('Only reads for now')
    await dialog(page).getByRole('button', { name: 'Change role' }).click()
    await expect(row).toContainText('Read-only')
    await expectSound(page, 'the administrators')
  })
  await test.step('a person without their phone gets rid of the second factor', async () => {
    await page.getByRole('tab', { name: 'Find an account' }).click()
    await page.getByRole('searchbox', { name: 'Email' }).fill(locked.email)
    await page.getByRole('button', { name: 'Find' }).click()
    await expect(page.getByText('Authenticator app · 0 recovery codes left')).toBeVisible()
    await page.getByRole('button', { name: 'Reset second factor' }).click()
    await reasonOf(page).fill('Lost phone, called from (202) 555-0143')
    await dialog(page).getByRole('button', { name: 'Reset second factor' }).click()
    await expect(page.getByText('Not set up')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Sessions' })).toHaveCount(0)
    await expectSound(page, 'the account')
  })
  await test.step('the audit log says so, and is narrowed and downloaded', async () => {
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    const log = page.getByRole('table', { name: 'Audit log' })
    await page.getByRole('searchbox', { name: /^Account/ }).fill(locked.email)
    await expect(log.getByRole('row')).toHaveCount(2)
    await expect(log).toContainText('reset the second factor')
    await expect(log).toContainText('Lost phone, called from •••43')
    await page.getByRole('searchbox', { name: /^Account/ }).fill(helper.email)
    await expect(log).toContainText('Role: support → read only')
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Invited an administrator' }).click()
    await expect(log.getByRole('row')).toHaveCount(2)
    await expectSound(page, 'the audit log')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
    expect(text).toContain('invited an administrator')
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await expect(page.getByText('Nothing matches these filters')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(log.getByRole('row').nth(1)).toBeVisible()
  })
  await test.step('the read-only administrator sees everything and no button to change it', async () => {
    await beginSession(page, accepted)
    await page.goto('/admin/people')
    await expect(row).toContainText('Read-only')
    await expect(page.getByRole('button', { name: 'Invite an administrator' })).toHaveCount(0)
    await expect(row.getByRole('button')).toHaveCount(1)
    await row.getByRole('button', { name: helper.email }).click()
    await expect(dialog(page).getByText('Not set up')).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'End all sessions' })).toHaveCount(0)
  })
  await test.step('security events of all accounts are listed', async () => {
    await page.goto('/admin/people?tab=events')
    await expect(page.getByRole('heading', { name: 'Security events' })).toBeVisible()
    await expectSound(page, 'the security events')
  })
  await test.step('the owner takes the role away', async () => {
    await becomeAdministrator(page)
    await page.goto('/admin/people')
    await row.getByRole('button', { name: 'Remove' }).click()
    await reasonOf(page).fill('Left the team')
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await expect(row).toHaveCount(0)
  })
})

test('an owner makes a service key, sees it once, and revokes it with a reason', async ({ page }) => {
  const program = `Nightly import ${randomUUID()}`
  await becomeAdministrator(page)
  await page.goto('/admin/people?tab=keys')
  const row = page.getByRole('table', { name: 'Service keys' }).getByRole('row').filter({ hasText: program })
  await page.getByRole('button', { name: 'Make a key' }).click()
  await dialog(page).getByRole('textbox', { name: 'Program' }).fill(program)
  await dialog(page).getByRole('button', { name: 'Make key' }).click()
  await expect(dialog(page).getByText('Say why')).toBeVisible()
  await reasonOf(page).fill('It imports people every night')
  await expectSound(page, 'the dialog that makes a key')
  await dialog(page).getByRole('button', { name: 'Make key' }).click()
  const key = await dialog(page).getByRole('region', { name: 'Service key' }).innerText()
  await expectSound(page, 'the new key')
  // A press beside the dialog would lose the key.
  await page.mouse.click(4, 4)
  await expect(dialog(page).getByRole('region', { name: 'Service key' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(row).toContainText(`…${key.trim().slice(-4)}`)
  await expect(row).toContainText('Valid')
  await expect(row).toContainText('Never')
  await expect(page.getByRole('button', { name: 'Revoke all keys that are not listed' })).toBeVisible()
  await expectSound(page, 'the service keys')
  await row.getByRole('button', { name: `Revoke the key of ${program}` }).click()
  await reasonOf(page).fill('The import has ended')
  await dialog(page).getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toContainText('Revoked')
  await expect(row.getByRole('button')).toHaveCount(0)
})
