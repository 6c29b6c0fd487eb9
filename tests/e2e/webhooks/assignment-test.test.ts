import {
  dismissToasts,
  expect,
  failRequests,
  holdRequests,
  test,
  toast,
} from '#tests/support/browser/browser.ts'

test('Run Assignment Test makes its calls and shows the result', async ({ page, client }) => {
  await page.goto('/client-integrations')
  const button = page.getByRole('button', { name: /^(Run Assignment Test|Running\.\.\.)$/ })

  await test.step('the button shows Running... meanwhile, then the toast of the specification', async () => {
    const calls: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      // The browser sends its report of the sign-in at any time.
      const isTheTests = request.method() !== 'GET' && !pathname.endsWith('/security-monitoring')
      if (isTheTests) calls.push(`${request.method()} ${pathname}`)
    })
    const inserted = page.waitForRequest((request) => request.url().endsWith('/api/v1/leads'))
    const release = await holdRequests(page, '**/api/v1/leads')
    const before = await button.boundingBox()
    await button.click()
    await expect(button).toHaveText('Running...')
    const sent = (await inserted).postDataJSON() as Record<string, unknown>
    expect(sent).toMatchObject({
      lead_type: 'final_expense',
      state: 'CA',
      source: 'manual_assignment_test',
      deal_size: 0,
      status: 'new',
      user_id: client.id,
    })
    await release()
    await expect(
      toast(page, 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'),
    ).toBeVisible()
    await expect(button).toHaveText('Run Assignment Test')
    await expect(page.getByRole('link', { name: 'Webhook Logs' })).toHaveAttribute(
      'href',
      '/client-integrations?view=configure',
    )
    await expect(
      page.getByText('No active webhook listens for assigned leads', { exact: false }),
    ).toBeVisible()
    expect((await button.boundingBox())?.x).toBe(before?.x)
    expect(calls).toEqual([
      'POST /api/v1/leads',
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent',
      'POST /functions/v1/webhook-delivery',
    ])
  })
  await test.step('the lead is assigned to the client', async () => {
    const { data } = await client.call<{ data: Record<string, unknown>[] }>('GET', '/api/v1/leads')
    expect(data).toEqual([expect.objectContaining({ status: 'assigned', is_test: true, state: 'CA' })])
  })
  await test.step('after a failed procedure the lead is assigned directly; a failed delivery call changes nothing', async () => {
    const rpc = await failRequests(page, '**/api/v1/rpc/*')
    const delivery = await failRequests(page, '**/functions/v1/webhook-delivery')
    await dismissToasts(page)
    await button.click()
    await expect(
      toast(page, 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'),
    ).toBeVisible()
    expect(rpc.count()).toBeGreaterThan(0)
    expect(delivery.count()).toBeGreaterThan(0)
    const { data } = await client.call<{ data: { status: string }[] }>('GET', '/api/v1/leads')
    expect(data.map(({ status }) => status)).toEqual(['assigned', 'assigned'])
    await rpc.end()
    await delivery.end()
  })
  await test.step('the test fails if its lead cannot be inserted', async () => {
    const failing = await failRequests(page, '**/api/v1/leads', ['POST'])
    await button.click()
    await expect(toast(page, 'Test failed. Please try again or check logs.')).toBeVisible()
    // Mutations retry once (docs/product.md §7).
    expect(failing.count()).toBe(2)
  })
})

test('Run Assignment Test says so if no webhook’s conditions accept a test lead', async ({
  page,
  client,
}) => {
  await client.addWebhook({
    endpoint_url: 'https://crm.example.com/leads',
    conditions: { match: 'all', rules: [{ field: 'is_test', is: false }] },
  })
  await page.goto('/client-integrations')
  await page.getByRole('button', { name: 'Run Assignment Test' }).click()
  await expect(
    page.getByText('The test lead does not fit the conditions of any active webhook', { exact: false }),
  ).toBeVisible()
})

test('Run Assignment Test says how long to wait after too many presses', async ({ page, client }) => {
  // This is the limit per minute (docs/product.md §9).
  await Promise.all(Array.from({ length: 30 }, () => client.call('POST', '/api/v1/leads', {})))
  await page.goto('/client-integrations')
  await page.getByRole('button', { name: 'Run Assignment Test' }).click()

  await expect(toast(page, /^Too many test leads\. Please wait \d+ seconds and try again\.$/)).toBeVisible()
})

test('Run Assignment Test asks a user whose session has ended to sign in', async ({ page }) => {
  await page.goto('/client-integrations')
  const button = page.getByRole('button', { name: 'Run Assignment Test' })
  await expect(button).toBeVisible()
  // In one step, because a polling request would find out first and lead to the sign-in.
  await button.focus()
  await page.evaluate(`localStorage.removeItem('leadwire.auth'), document.activeElement.click()`)
  await expect(toast(page, 'Please sign in to run the test')).toBeVisible()
})
