import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, loseAnswers, test } from '#tests/support/browser/browser.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { signUpClient, type E2eClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'

/** Creates a client whose webhook has this many dead letters; returns the client and the webhook's id. */
async function givenDeadLetters(count: number): Promise<{ client: E2eClient; webhook: string }> {
  const client = await signUpClient()
  const webhook = await client.addWebhook({ endpoint_url: `${readEnvironment().server}/nowhere` })
  await client.receiveLeads(
    Array.from({ length: count }, (_, index) => ({
      name: `Lead ${index}`,
      phone: '+12025550143',
      state: 'CA',
    })),
  )
  const logs = `/api/v1/webhook-configs/${webhook}/delivery-logs?limit=100`
  await waitUntil(
    async () => {
      const { data } = await client.call<{ data: { attempt_number: number }[] }>('GET', logs)
      return data.filter(({ attempt_number: attempt }) => attempt === 3).length === count
    },
    { timeoutMs: 30_000, what: 'All attempts having failed' },
  )
  return { client, webhook }
}

test('an administrator redrives dead letters: one, then all that match a filter', async ({ page }) => {
  const { client, webhook } = await givenDeadLetters(3)
  await becomeAdministrator(page)
  await page.goto('/admin/deliveries')
  const letters = page.getByRole('table', { name: 'Dead letters' })

  await test.step('the list of dead letters can be narrowed to one client, and shows the reason', async () => {
    await page.getByRole('combobox', { name: 'Client' }).click()
    await page.getByRole('option', { name: client.name }).click()
    await expect(letters.getByRole('row')).toHaveCount(4)
    await expect(letters.getByText('Refused (4xx)')).toHaveCount(3)
    await expect(letters).not.toContainText('/nowhere')
  })
  await test.step('the failing endpoint is listed below the dead letters', async () => {
    await expect(page.getByRole('table', { name: 'Endpoints in trouble' })).toContainText('Active Failing')
  })
  await client.call('PATCH', `/api/v1/webhook-configs/${webhook}`, {
    endpoint_url: `${readEnvironment().crm}/webhooks/leads`,
  })
  await test.step('one dead letter is redriven after a confirmation', async () => {
    await letters.getByRole('row').nth(1).getByRole('button', { name: 'Send again' }).click()
    const question = page.getByRole('dialog', { name: 'Send 1 delivery again?' })
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(question.getByText('Say why')).toBeVisible()
    await question.getByLabel('Reason').fill('The endpoint is mended')
    const losing = await loseAnswers(page, '**/api/v1/admin/dead-letters/redrive', 'POST')
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('The server did not answer. Check your connection.')).toBeVisible()
    await losing.end()
    // The redrive happened although its answer was lost. The second press sends nothing more and reports the
    // first result.
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('1 delivery is sent again')).toBeVisible()
    await expect(letters.getByRole('row')).toHaveCount(3)
  })
  await test.step('all other dead letters are redriven together', async () => {
    await page.getByRole('button', { name: 'Send all of these again' }).click()
    const question = page.getByRole('dialog', { name: 'Send 2 deliveries again?' })
    await question.getByLabel('Reason').fill('The endpoint is mended')
    await question.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('No dead letters match these filters')).toBeVisible()
    // The filter keeps its name although the summary no longer has this client.
    await expect(page.getByRole('combobox', { name: 'Client' })).toContainText(client.name)
  })
  await waitUntil(
    async () => {
      const { data } = await client.call<{ data: { delivery_status: string }[] }>(
        'GET',
        `/api/v1/webhook-configs/${webhook}/delivery-logs?limit=100`,
      )
      return data.filter(({ delivery_status: status }) => status === 'delivered').length === 3
    },
    { what: 'All three being delivered' },
  )
})

test('an administrator’s dashboard shows no numbers of a buyer, and leads to the administration', async ({
  page,
}) => {
  await becomeAdministrator(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Newest leads' })).toBeVisible()
  for (const name of ['Leads today', 'Delivery success, 24 hours', 'Balance'])
    await expect(page.getByRole('heading', { name }), 'none of them is the administrator’s').toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Administration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
})

test('an administrator opens the queue dashboard by link or by address, without another sign-in', async ({
  page,
}) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(page.url()).origin) elsewhere.push(request.url())
  })
  await becomeAdministrator(page)
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Open queue dashboard' }).click()

  await expect(page).toHaveURL(/\/admin\/queues$/)
  await expect(page.getByRole('link', { name: 'webhook-deliveries' }).first()).toBeVisible()
  await page.context().clearCookies()
  await page.goto('/admin/queues')
  await expect(page).toHaveURL(/\/admin\/queues\?opened/)
  await expect(page.getByRole('link', { name: 'webhook-deliveries' }).first()).toBeVisible()
  expect(elsewhere).toEqual([])
})

test('an administrator retries a dead letter on the queue dashboard', async ({ page }) => {
  const { client, webhook } = await givenDeadLetters(1)
  const logs = `/api/v1/webhook-configs/${webhook}/delivery-logs?limit=100`
  const readLogs = async () =>
    (await client.call<{ data: { delivery_id: string; delivery_status: string }[] }>('GET', logs)).data
  const [dead] = await readLogs()
  await client.call('PATCH', `/api/v1/webhook-configs/${webhook}`, {
    endpoint_url: `${readEnvironment().crm}/webhooks/leads`,
  })
  await becomeAdministrator(page)
  await page.goto('/admin/deliveries')
  await expect(page.getByRole('region', { name: 'Deliveries by state' })).toContainText('Dead letters')
  await page.getByRole('button', { name: 'Open queue dashboard' }).click()
  await expect(page).toHaveURL(/\/admin\/queues$/)
  await page.goto(`/admin/queues/queue/webhook-deliveries/${dead?.delivery_id}?status=failed`)
  await expect(page.getByText('http_4xx').first()).toBeVisible()

  // The library gives its icons no names: the first retries.
  await page.locator('[class*="jobActions"] button').first().click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await waitUntil(
    async () => (await readLogs()).some(({ delivery_status: status }) => status === 'delivered'),
    { timeoutMs: 40_000, what: 'The retried delivery' },
  )
  await page.getByRole('link', { name: /Deliveries in Administration/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Deliveries' })).toBeVisible()
})

test('a client reads that the page is for administrators only', async ({ page }) => {
  await page.goto('/admin')

  await expect(page.getByText('This page is for administrators')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
})
