import { findFaults } from '#scripts/look/find-faults.ts'
import { expect, test } from '#tests/support/browser/browser.ts'

const FORM = /\/assets\/open-call-[^/]*\.js$/
const PAGE = '/documentation/api/webhooks'
const PREVIEW = '#try-post-apiv1webhook-configspreview'

test('a call of the API reference is sent with the reader’s own token, which is stored nowhere', async ({
  page,
}) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto(PAGE)
  await page.waitForLoadState('networkidle')
  expect(loaded.filter((url) => FORM.test(url))).toEqual([])
  const call = page.locator(PREVIEW)
  await call.getByText('Try it').click()
  const token = call.getByLabel('Access token')
  const send = call.getByRole('button', { name: 'Send request' })

  await test.step('a refusal says why, and how to correct it', async () => {
    await send.click()
    await expect(call.getByText('401 Unauthorized')).toBeVisible()
    await expect(call.getByText('The token is missing, mistyped, or has expired')).toBeVisible()
    await token.fill('not a token')
    await send.click()
    await expect(call.getByText('That is no token')).toBeVisible()
    await call.getByRole('button', { name: 'Use my session' }).click()
    await call.getByLabel('Body').fill('{')
    await send.click()
    await expect(call.getByText('The body is no JSON')).toBeVisible()
    await page.route('**/webhook-configs/preview', (route) => route.abort(), { times: 1 })
    await call.getByLabel('Body').fill('{"payload_template": {"order": "{{order_name}}"}}')
    await send.click()
    await expect(call.getByText('No answer: the server could not be reached')).toBeVisible()
  })
  await test.step('an answer shows its status, time, body and headers', async () => {
    await send.click()
    await expect(call.getByText(/^200 OK · \d+ ms · \d+ bytes$/)).toBeVisible()
    await expect(call.getByLabel('Body of the answer')).toContainText(
      String.raw`"body": "{\"order\":\"Example order\"}"`,
    )
    await call.getByText(/^Headers \(\d+\)$/).click()
    await expect(call.getByText('application/json; charset=utf-8')).toBeVisible()
    expect(await findFaults(page, 'every')).toEqual([])
  })
  await test.step('the token is forgotten when the page closes', async () => {
    await token.fill('typed-by-hand')
    const kept = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(kept).not.toContain('typed-by-hand')
    await page.reload()
    await call.getByText('Try it').click()
    await expect(token).toHaveValue('')
  })
})

test('a page from before an update reloads once, and then says that one of its parts is missing', async ({
  page,
  faults,
}) => {
  await page.route(FORM, (route) => route.abort())
  await page.goto(PAGE)
  const again = page.waitForEvent('load')
  await page.locator(PREVIEW).getByText('Try it').click()
  await again
  // The page returns to the same call, which is still missing.
  await expect(page).toHaveURL(`${PAGE}${PREVIEW}`)
  const alert = page.locator(PREVIEW).getByRole('alert')
  await expect(alert.getByRole('heading')).toHaveText('Something went wrong')
  await expect(alert.getByRole('link', { name: 'Go Home' })).toBeVisible()
  expect(faults.splice(0)).toEqual([expect.stringMatching(/^console: Leadwire section failure/)])
  await page.unroute(FORM)
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.locator(PREVIEW).getByRole('button', { name: 'Send request' })).toBeVisible()

  await test.step('a search that cannot be loaded says so, and the user can try again', async () => {
    await page.route('**/search.json', (route) => route.abort(), { times: 1 })
    const search = page.getByRole('combobox', { name: 'Search the documentation' })
    await search.click()
    await expect(page.getByText('The search could not be loaded')).toBeVisible()
    await search.fill('retry-after')
    await expect(page.getByRole('option').first()).toBeVisible()
    await search.fill('zzzzz')
    await expect(page.getByText('No guide has “zzzzz”')).toBeVisible()
  })
})

test('a signed-in user need not type an address to send a message, and finds their own endpoints in the help', async ({
  page,
  client,
}) => {
  await page.goto('/contact')
  await expect(page.getByLabel('Email')).toHaveValue(client.email)
  await page.goto('/help')
  const endpoints = page.getByRole('region', { name: 'Your endpoints' })
  await expect(endpoints).toContainText('You have no webhook yet')
  await client.addWebhook({ webhook_name: 'Desk CRM', endpoint_url: 'https://crm.example.com/leads' })
  await page.reload()
  await expect(endpoints.getByRole('link', { name: 'Desk CRM' })).toBeVisible()
  await expect(endpoints).toContainText('Not used yet')
  await page.goto('/contact')
  await page.goto('/help#returns')
  await expect(page.getByRole('heading', { name: 'How do I return a lead?' })).toBeInViewport()
})
