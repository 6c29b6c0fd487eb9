import type { Locator, Page } from '@playwright/test'
import { createSampleCrm, type SampleCrm } from '#scripts/sample-crm/create-sample-crm.ts'
import { expect, test as base, testApart } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { chooseAction, openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

/** A sample CRM of this test's own, because the demo client's must keep accepting leads for other tests. */
const test = base.extend<{ crm: SampleCrm }>({
  crm: async ({ baseURL: _baseURL }, use) => {
    const crm = await createSampleCrm({ port: 0, host: '127.0.0.1' })
    await use(crm)
    await crm.close()
  },
})

/**
 * The ways to break the sample CRM, with the dialog's explanation of each. Hang is tested alone, because the
 * other waiting deliveries would also get no answer, and the breaker would open.
 */
const BREAKAGES: { choose: string; fill?: [string, string]; code: string; reason: RegExp }[] = [
  { choose: 'Fail', code: '500', reason: /^500: your endpoint reported an error of its own/ },
  { choose: 'Refuse', fill: ['Response code', '401'], code: '401', reason: /^401: .*let us in/ },
  { choose: 'Refuse', fill: ['Response code', '404'], code: '404', reason: /^404: .*Check Endpoint URL/ },
  { choose: 'Refuse', fill: ['Response code', '422'], code: '422', reason: /^422: .*Payload Template/ },
  { choose: 'Refuse', fill: ['Response code', '503'], code: '503', reason: /^503: .*not available/ },
  {
    choose: 'Too many requests',
    fill: ['Seconds to wait', '1'],
    code: '429',
    reason: /^429: .*slow down/,
  },
  { choose: 'Redirect', code: '302', reason: /^302: .*redirects are not followed/ },
  { choose: 'Reset', code: 'N/A', reason: /closed|reset|broke/i },
  { choose: 'Say no', code: '200', reason: /its answer says no/ },
  { choose: 'Sign-in page', code: '200', reason: /not the one the success rule asks for/ },
  { choose: 'Gone', code: '410', reason: /^410: .*switched off/ },
]

async function answerWith(crmPage: Page, choose: string, fill?: [string, string]): Promise<void> {
  const applied = crmPage.waitForResponse((response) => response.url().endsWith('/mode'))
  if (fill === undefined) await crmPage.getByRole('radio', { name: choose, exact: true }).click()
  else {
    await crmPage.getByRole('spinbutton', { name: fill[0] }).fill(fill[1])
    await crmPage.getByRole('spinbutton', { name: fill[0] }).press('Enter')
  }
  await applied
  await expect(crmPage.getByRole('radio', { name: choose, exact: true })).toBeChecked()
}

async function countOpen(owner: string): Promise<unknown> {
  const [row] = await runSql(
    "select count(*)::int as open from webhook_deliveries where client_user_id = $1 and state in ('pending', 'held')",
    [owner],
  )
  return row?.['open']
}

const rowsOf = (logs: Locator, name: string) =>
  logs.getByRole('table').getByRole('row').filter({ hasText: name })

test('the dialog explains each way of breaking the CRM; after the repair one button sends every lead', async ({
  page,
  context,
  client,
  crm,
}) => {
  test.setTimeout(300_000)
  await client.addWebhook({
    webhook_name: 'Mended CRM',
    endpoint_url: crm.webhookUrl,
    success_rule: {
      accepted: { path: 'received', equals: true },
      rejected: { path: 'success', equals: false },
    },
  })
  const crmPage = await context.newPage()
  await crmPage.goto(crm.url)
  await openConfigurations(page)
  let logs = await openLogs(page, 'Mended CRM')
  const names = BREAKAGES.map(({ choose, code }) => `Robin ${choose} ${code.replace('/', '')}`)

  for (const [index, { choose, fill, code, reason }] of BREAKAGES.entries()) {
    const name = names[index] ?? ''
    await test.step(`${choose} (${code}) is explained with its reason`, async () => {
      // A 410 at an earlier delivery's retry would switch the webhook off before this lead is sent.
      if (choose === 'Gone') await expect.poll(() => countOpen(client.id), { timeout: 60_000 }).toBe(0)
      await answerWith(crmPage, choose, fill)
      await client.receiveLeads([{ name, email: `robin.${index}@example.com`, state: 'TX' }])
      const first = rowsOf(logs, name).last().getByRole('cell')
      await expect(first.nth(1)).toContainText('Failed', { timeout: 30_000 })
      await expect(first.nth(2)).toHaveText(code)
      await expect(first.nth(3)).toHaveText('1')
      await expect(first.nth(6)).toContainText(reason)
    })
  }

  await test.step('while the webhook is off, nothing can be resent', async () => {
    await logs.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    logs = await openLogs(page, 'Mended CRM')
    await logs.getByRole('button', { name: 'Resend failed since…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed since…' })
    await expect(dialog.getByText('The webhook is switched off.', { exact: false })).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Resend/ })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await logs.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('after the repair, once the webhook is on, one button sends every lead', async () => {
    await answerWith(crmPage, 'Accept')
    await chooseAction(page, 'Mended CRM', 'Activate')
    const switchOn = page.getByRole('dialog', { name: 'Switch on “Mended CRM”' })
    await switchOn.getByRole('button', { name: 'Test and switch on' }).click()
    await expect(switchOn).toHaveCount(0)
    await expect(page.getByRole('row').filter({ hasText: 'Mended CRM' })).not.toContainText('Switched off')
    logs = await openLogs(page, 'Mended CRM')
    await logs.getByRole('button', { name: 'Resend failed since…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed since…' })
    await dialog.getByRole('radio', { name: 'The last hour' }).click()
    const send = dialog.getByRole('button', { name: /^Resend \d+ deliver/ })
    await expect(send).toBeEnabled()
    const count = Number(/\d+/.exec(await send.innerText())?.[0])
    expect(count).toBeGreaterThan(6)
    await send.click()
    const progress = logs.getByRole('region', { name: 'Resend progress' })
    await expect(progress).toContainText(`${count} delivered`, { timeout: 40_000 })
    await expect(progress).toContainText(/have arrived/)
  })

  await test.step('every lead is in the CRM and in the logs', async () => {
    await crmPage.reload()
    for (const [index, name] of names.entries()) {
      const received = crmPage.getByRole('listitem').filter({ hasText: `robin.${index}@example.com` })
      // There is one list item per event: each resend came under the same webhook-id.
      await expect(received).toHaveCount(1)
      await expect(received.locator('summary .answered')).toHaveText('200')
      await expect(rowsOf(logs, name).first().getByRole('cell').nth(1)).toHaveText('Success')
    }
    await logs.getByRole('button', { name: 'Resend failed since…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed since…' })
    await expect(
      dialog.getByText('Everything that failed in this time was delivered or resent', { exact: false }),
    ).toBeVisible()
  })
})

test('a hanging endpoint is reported after 15 s, and gets its lead after the repair', async ({
  page,
  context,
  client,
  crm,
}) => {
  await client.addWebhook({ webhook_name: 'Hanging CRM', endpoint_url: crm.webhookUrl })
  const crmPage = await context.newPage()
  await crmPage.goto(crm.url)
  await answerWith(crmPage, 'Hang')
  await client.receiveLeads([{ name: 'Robin Hang', email: 'robin.hang@example.com', state: 'TX' }])
  await openConfigurations(page)
  const logs = await openLogs(page, 'Hanging CRM')
  const first = rowsOf(logs, 'Robin Hang').last().getByRole('cell')
  await expect(first.nth(1)).toContainText('Failed', { timeout: 40_000 })
  await expect(first.nth(2)).toHaveText('N/A')
  await expect(first.nth(6)).toContainText('did not answer within 15 s')
  await answerWith(crmPage, 'Accept')
  const last = rowsOf(logs, 'Robin Hang').first().getByRole('cell')
  await expect(last.nth(1)).toHaveText('Success', { timeout: 40_000 })
  await crmPage.reload()
  const received = crmPage.getByRole('listitem').filter({ hasText: 'robin.hang@example.com' })
  await expect(received.locator('summary .answered')).toHaveText('200')
})

test('a delivered lead is resent after a warning, as a delivery that is linked to the first (check 22)', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Asking CRM', endpoint_url: receiver.url })
  await client.receiveLeads([{ name: 'Robin Twice', email: 'twice@example.com', state: 'TX' }])
  await receiver.waitForCount(1)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Asking CRM')
  await logs.getByRole('button', { name: 'Actions for Robin Twice, attempt 1' }).click()
  await page.getByRole('menuitem', { name: 'Resend' }).click()
  const question = page.getByRole('alertdialog', { name: 'Resend Robin Twice?' })
  await expect(question).toContainText(
    'This lead was delivered already. Your CRM receives it again under the same webhook-id.',
  )
  expect(receiver.requests).toHaveLength(1)
  await question.getByRole('button', { name: 'Resend' }).click()
  const [first, second] = await receiver.waitForCount(2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])

  await expect(rowsOf(logs, 'Robin Twice')).toHaveCount(2)
  await expect(rowsOf(logs, 'Robin Twice').first()).toContainText('Resent')
  await logs
    .getByRole('button', { name: /Robin Twice/ })
    .nth(0)
    .click()
  await logs.getByRole('button', { name: /^attempt 1,/ }).click()
  await expect(logs.getByRole('button', { name: /^a new delivery,/ })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(logs.getByText('Resent from')).toBeVisible()
  await receiver.close()
})

test('a planned retry is sent at once, and waiting deliveries are cancelled', async ({ page, client }) => {
  // Retry-After is obeyed: an hour, unless somebody sends it now.
  const receiver = await startReceiver({ status: 429, headers: { 'retry-after': '3600' } })
  await client.addWebhook({ webhook_name: 'Patient CRM', endpoint_url: receiver.url })
  await client.receiveLeads([
    { name: 'Robin Now', email: 'now@example.com', state: 'TX' },
    { name: 'Robin Never', email: 'never@example.com', state: 'TX' },
    { name: 'Robin Neither', email: 'neither@example.com', state: 'TX' },
  ])
  await receiver.waitForCount(3)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Patient CRM')
  await expect(rowsOf(logs, 'Robin Now')).toContainText('next attempt in 60 min')

  await test.step('one retry is sent now', async () => {
    receiver.answerWith(200)
    await logs.getByRole('button', { name: /^Robin Now/ }).click()
    await logs.getByRole('button', { name: 'Send now' }).click()
    await receiver.waitFor(({ headers }) => headers['leadwire-attempt'] === '2')
    const strip = logs.getByRole('list', { name: 'Attempts of this delivery' })
    await expect(strip.getByRole('listitem')).toHaveText(['Attempt 1Failed 429', 'Attempt 2Success 200'])
    await logs.getByRole('button', { name: 'Back to logs' }).click()
  })
  await test.step('one delivery is cancelled', async () => {
    await logs.getByRole('button', { name: 'Actions for Robin Never, attempt 1' }).click()
    await page.getByRole('menuitem', { name: 'Cancel delivery' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel delivery' }).click()
    const cells = rowsOf(logs, 'Robin Never').first().getByRole('cell')
    await expect(cells.nth(1)).toHaveText(/^cancelled\s*by you$/)
    await expect(cells.nth(6)).toContainText('Cancelled by you before attempt 2 was made.')
  })
  await test.step('all waiting deliveries are cancelled, with their count', async () => {
    await logs.getByRole('button', { name: 'More log actions' }).click()
    await page.getByRole('menuitem', { name: 'Cancel everything that waits…' }).click()
    const question = page.getByRole('alertdialog', { name: 'Cancel everything that waits?' })
    await question.getByRole('button', { name: 'Cancel 1 delivery' }).click()
    await expect(rowsOf(logs, 'Robin Neither').first().getByRole('cell').nth(1)).toContainText('cancelled')
  })
  await test.step('the status filter finds both kinds, and the address keeps the filter', async () => {
    await logs.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Cancelled' }).click()
    await expect(logs.getByRole('row')).toHaveCount(3)
    await page.reload()
    await expect(logs.getByRole('row')).toHaveCount(3)
    await logs.getByRole('searchbox').fill('never@')
    await expect(logs.getByRole('row')).toHaveCount(2)
    await logs.getByRole('searchbox').fill('nobody')
    await expect(logs.getByText('No delivery logs match these filters')).toBeVisible()
    await expect(logs.getByText('Not live while searching', { exact: true })).toBeVisible()
    await logs.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
    await expect(logs.getByRole('row')).toHaveCount(7)
    await expect(logs.getByText('Live', { exact: true })).toBeVisible()
  })
  expect(receiver.requests).toHaveLength(4)
  await receiver.close()
})

testApart(
  'offline, the dialog says that it is not live and keeps its content',
  async ({ page, context, client }) => {
    const receiver = await startReceiver()
    await client.addWebhook({ webhook_name: 'Live CRM', endpoint_url: receiver.url })
    await client.receiveLeads([{ name: 'Robin Early', email: 'early@example.com', state: 'TX' }])
    await receiver.waitForCount(1)
    await page.clock.install()
    await openConfigurations(page)
    const logs = await openLogs(page, 'Live CRM')
    await expect(logs.getByText('Live', { exact: true })).toBeVisible()
    await expect(rowsOf(logs, 'Robin Early')).toHaveCount(1)
    const focused = logs.getByRole('button', { name: /^Robin Early/ })
    await focused.focus()

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await context.setOffline(true)
    await expect(logs.getByText('Live updates paused')).toBeVisible()
    await client.receiveLeads([{ name: 'Robin Later', email: 'later@example.com', state: 'TX' }])
    await receiver.waitForCount(2)
    asked.length = 0
    // By then the stream would have been opened again and the slow refresh would have run.
    await page.clock.runFor(75_000)
    expect(asked).toEqual([])
    await expect(rowsOf(logs, 'Robin Later')).toHaveCount(0)
    await context.setOffline(false)
    await expect(logs.getByText('Live', { exact: true })).toBeVisible()
    await expect(rowsOf(logs, 'Robin Later')).toHaveCount(1)
    await expect(focused).toBeFocused()
    await receiver.close()
  },
)
