import { expect, failRequests, test, testApart, toast } from '#tests/support/browser/browser.ts'

const PEOPLE = ['Ann', 'Bea', 'Cid', 'Dov', 'Eli', 'Flo'].map((first, index) => ({
  name: `${first} Sandoval`,
  email: `${first.toLowerCase()}@example.com`,
  phone: `+1512555010${index}`,
  state: 'TX',
}))
const ZOE = { name: 'Zoe Quill', email: 'zq.mail@example.com', phone: '+12025550177', state: 'VA' }

test('the search finds leads by a part of name, email or phone and opens them (check 4)', async ({
  page,
  client,
}) => {
  await client.receiveLeads([...PEOPLE, ZOE])
  const searches: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/v1/leads' && url.searchParams.get('limit') === '5')
      searches.push(url.searchParams.get('search') ?? '')
  })
  await page.goto('/client-integrations')
  const box = page.getByRole('combobox', { name: 'Search leads' })
  const list = page.getByRole('listbox', { name: 'Leads found' })
  const found = list.getByRole('option')

  await test.step('the search starts at two characters', async () => {
    await box.fill('q')
    await expect(box).toHaveAttribute('aria-expanded', 'false')
    await box.fill('qu')
    await expect(found).toHaveCount(1)
    expect(searches).toEqual(['qu'])
  })

  await test.step('the search matches a part of the name in any case, and shows name and email', async () => {
    await box.fill('zOE qU')
    await expect(found).toHaveCount(1)
    await expect(found.getByText('Zoe Quill', { exact: true })).toBeVisible()
    await expect(found.getByText('zq.mail@example.com', { exact: true })).toBeVisible()
  })

  await test.step('the search matches a part of the email and of the phone', async () => {
    await box.fill('ZQ.MAIL@')
    await expect(found).toHaveText([/Zoe Quill/])
    await box.fill('202555017')
    await expect(found).toHaveText([/Zoe Quill/])
  })

  await test.step('special characters of the database are ordinary characters of the search', async () => {
    for (const text of ['%%', '__', "o' or 1=1"]) {
      await box.fill(text)
      await expect(page.getByText('No leads found')).toBeVisible()
      await expect(found).toHaveCount(0)
    }
  })

  await test.step('the search shows five leads at most', async () => {
    await box.fill('sandoval')
    await expect(found).toHaveCount(5)
  })

  await test.step('a click on a result opens the lead', async () => {
    await box.fill('zoe')
    await found.filter({ hasText: 'Zoe Quill' }).click()
    await expect(page).toHaveURL(/\/leads\/[0-9a-f-]{36}$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Zoe Quill' })).toBeVisible()
    await expect(list).toHaveCount(0)
  })

  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const options = palette.getByRole('option')
  await test.step('Ctrl+K opens the same search with commands, and the focus returns afterwards', async () => {
    await box.focus()
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox', { name: 'Search leads and commands' })).toBeFocused()
    await expect(palette.getByRole('group', { name: 'Go to' })).toContainText('Dashboard')
    await page.keyboard.type('sandoval')
    await expect(options).toHaveCount(5)
    await expect(options.first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowUp')
    await expect(options.last()).toHaveAttribute('aria-selected', 'true')
    await expect(palette.getByRole('status')).toContainText('5 found')
    await page.keyboard.press('Escape')
    await expect(palette).toHaveCount(0)
    await expect(box).toBeFocused()
  })
  await test.step('a command goes to a screen, and another opens the form of a new webhook once', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bill')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/settings\?tab=billing$/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('create web')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Create Webhook Configuration' })
    await expect(form.getByRole('textbox', { name: 'Webhook Name' })).toBeFocused()
    // It does not open over a form with unsaved edits.
    await page.keyboard.press('Control+k')
    await expect(palette).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(page).toHaveURL(/\/client-integrations\?view=configure$/)
  })
})

testApart(
  'commands that fail to load leave the screen as it is, and load at the next try',
  async ({ page }) => {
    await page.route(/CommandPalette/, (route) => route.abort(), { times: 1 })
    await page.goto('/help')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help')
    await page.evaluate('window.isOfBefore = true')
    await page.keyboard.press('Control+k')
    await expect(toast(page, 'Search and commands could not be loaded. Please try again.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help')
    expect(await page.evaluate('"isOfBefore" in window')).toBe(true)
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search leads and commands' })).toBeFocused()
  },
)

testApart(
  'the list of results closes 200 ms after the box loses the focus (check 4)',
  async ({ page, client }) => {
    await client.receiveLeads([ZOE])
    await page.clock.install()
    await page.goto('/client-integrations')
    const box = page.getByRole('combobox', { name: 'Search leads' })
    const list = page.getByRole('listbox', { name: 'Leads found' })
    await box.fill('zoe')
    await expect(list.getByRole('option')).toHaveCount(1)
    await page.clock.pauseAt(Date.now() + 60_000)
    await box.blur()
    await page.clock.runFor(195)
    await expect(list).toBeVisible()
    await page.clock.runFor(10)
    await expect(list).toHaveCount(0)
  },
)

test('a failed search shows an empty list and no message (check 5)', async ({ page, client }) => {
  await client.receiveLeads([ZOE])
  await page.goto('/client-integrations')
  const failing = await failRequests(page, '**/api/v1/leads?search=*')
  await page.getByRole('combobox', { name: 'Search leads' }).fill('zoe')
  await expect(page.getByText('Searching…')).toBeVisible()
  await expect(page.getByText('Searching…')).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Search leads' })).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('No leads found')).toHaveCount(0)
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Dismiss')).toHaveCount(0)
  expect(failing.count()).toBe(1)
})
