import { expect, test } from '#tests/support/browser/browser.ts'

test('the page has its two tabs and the overview of webhooks', async ({ page }) => {
  await page.goto('/client-integrations')
  const main = page.getByRole('main')

  await test.step('the page has its title and tabs, with Webhooks first and selected', async () => {
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Integrations')
    await expect(main.getByRole('tab')).toHaveText(['Webhooks', 'API Access'])
    await expect(main.getByRole('tab', { name: 'Webhooks' })).toHaveAttribute('aria-selected', 'true')
  })
  await test.step('the overview has three feature cards', async () => {
    const cards = main.getByRole('list').first().getByRole('listitem')
    await expect(cards).toHaveCount(3)
    await expect(cards.getByRole('heading')).toHaveText([
      'Real-time delivery',
      'Secure and reliable',
      'Easy setup',
    ])
    await expect(cards.nth(1)).toContainText('automatic retries')
  })
  await test.step('popular integrations are listed by category, for display only', async () => {
    const popular = main.getByRole('region', { name: 'Popular integrations' })
    await expect(popular.getByRole('heading', { level: 3 })).toHaveText([
      'CRM',
      'Marketing',
      'Automation',
      'Custom',
    ])
    await expect(popular.getByRole('list')).toHaveCount(4)
    await expect(popular.getByRole('link').or(popular.getByRole('button'))).toHaveCount(0)
  })
  await test.step('API Access is coming soon and points to webhooks', async () => {
    await main.getByRole('tab', { name: 'API Access' }).click()
    await expect(main.getByText('API documentation and access keys are Coming Soon')).toBeVisible()
    await expect(main.getByText(/Meanwhile, please use webhooks/)).toBeVisible()
  })
  await test.step('the calendar exists, and no tab button leads to it', async () => {
    await page.goto('/client-integrations?tab=calendar')
    await expect(main.getByRole('tabpanel')).toContainText('Coming Soon')
    await expect(main.getByRole('tab')).toHaveCount(2)
  })
  await test.step('Configure Webhooks opens the list, and Back to Overview returns', async () => {
    await main.getByRole('tab', { name: 'Webhooks' }).click()
    await main.getByRole('button', { name: 'Configure Webhooks' }).click()
    await expect(main.getByRole('button', { name: 'Add Webhook' })).toBeVisible()
    await main.getByRole('button', { name: 'Back to Overview' }).click()
    await expect(main.getByRole('button', { name: 'Configure Webhooks' })).toBeVisible()
  })
})

test('a closed group shows the last number and the hash of the feed', async ({ page, client }) => {
  await page.goto('/client-integrations')
  const main = page.getByRole('main')
  const group = main.getByRole('button', { name: 'Prove that your CRM has every lead' })
  await group.click()
  await expect(main.getByText('There is no entry yet. Your next lead will be number 1.')).toBeVisible()

  await client.receiveLeads([
    { name: 'Rosa Example', phone: '+15125550143', state: 'CA' },
    { name: 'Robin Sample', phone: '+15125550144', state: 'TX' },
  ])
  await page.reload()
  await group.click()
  await expect(main.getByRole('definition').first()).toHaveText('2')
  await expect(main.getByText('2 assigned, 0 returned, 0 revoked, 0 erased')).toBeVisible()
  const { data } = await client.call<{ data: { hash: string }[] }>('GET', '/api/v1/feed')
  await expect(main.getByText(data[1]?.hash ?? '')).toBeVisible()
  await expect(main.getByRole('link', { name: 'How to check' })).toHaveAttribute(
    'href',
    '/documentation/feed',
  )
})
