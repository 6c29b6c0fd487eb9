import { findFaults, readWidth } from '#tests/support/browser/accessibility.ts'
import { beginSession, expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { readSite } from '#tests/support/site/read-site.ts'

test.use({ session: SIGNED_OUT })

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

test('every page is without a fault of accessibility, wide and narrow, light and dark, and with text twice as large', async ({
  page,
}) => {
  // Some fifty pages, several times each, beside whatever else runs.
  test.slow()
  const paths = (await readSite(readEnvironment().server)).map(({ path }) => path)
  const layouts = new Set<string>()
  for (const path of [...paths, '/nowhere']) {
    // Guides, articles and their tags differ in their words alone: the colours of the first speak for all.
    const layout = path.replace(/^(\/(?:documentation(?:\/api)?|blog)(?:\/tags)?\/).*/, '$1')
    const isNew = !layouts.has(layout)
    // The rooms of the API's reference are long, and made by one function.
    if (!isNew && layout === '/documentation/api/') continue
    layouts.add(layout)
    await test.step(path, async () => {
      await page.setViewportSize(WIDE)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      expect.soft(await findFaults(page, 'every'), path).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      if (isNew) expect.soft(await findFaults(page, 'colours'), `${path}, dark`).toEqual([])
      await page.setViewportSize(PHONE)
      if (isNew) expect.soft(await findFaults(page, 'every'), `${path}, dark and narrow`).toEqual([])
      await expect.soft.poll(() => readWidth(page), path).toBeLessThanOrEqual(PHONE.width)
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
      await expect.soft.poll(() => readWidth(page), `${path}, large text`).toBeLessThanOrEqual(PHONE.width)
    })
  }
})

test('every page can be read as it is sent, and each of its links leads somewhere', async () => {
  const pages = await readSite(readEnvironment().server)
  expect(pages.length).toBeGreaterThanOrEqual(25)
  const faults: string[] = []
  const known = new Map(pages.map((one) => [one.path, one]))
  const answers = new Map<string, Promise<number>>()
  const ask = async (path: string) => (await fetch(readEnvironment().server + path)).status
  for (const { path, html, links } of pages) {
    if (!/<h1[ >]/.test(html)) faults.push(`${path} has no heading`)
    if (/ style="|<style|<script(?![^>]* (?:src|type="application\/ld))/.test(html))
      faults.push(`${path} has something inline`)
    for (const link of links) {
      const [to = '', anchor] = link.split('#')
      const target = to === '' ? path : to
      const page = known.get(target.replace(/\?.*/, ''))
      if (page === undefined) {
        if (!answers.has(target)) answers.set(target, ask(target))
        const status = await answers.get(target)
        if (status !== 200) faults.push(`${path} leads to ${target}, which answers ${status}`)
      } else if (anchor !== undefined && !page.ids.has(anchor)) faults.push(`${path} leads to ${link}`)
    }
  }
  // What links that are shared show.
  expect(pages[0]?.html).toContain(`content="${readEnvironment().server}/card.png"`)
  expect(await ask('/card.png')).toBe(200)
  expect(faults).toEqual([])
})

test('a message that is not right comes back as it was typed; one that is right gets a reference', async ({
  page,
}) => {
  await page.goto('/contact?topic=report_call')
  await expect(page.getByLabel('Topic')).toHaveValue('report_call')
  await page.getByLabel('Name').fill('Rosa "Ro" & <Co>')
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Message').fill('They called at 6 AM.\n</textarea>')
  // The browser would not send it.
  await page.evaluate(`document.querySelector('#contact-form').noValidate = true`)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid email format')
  await expect(page.getByLabel('Name')).toHaveValue('Rosa "Ro" & <Co>')
  await expect(page.getByLabel('Topic')).toHaveValue('report_call')
  await expect(page.getByLabel('Message')).toHaveValue('They called at 6 AM.\n</textarea>')
  expect(await findFaults(page, 'every')).toEqual([])
  await page.getByRole('alert').getByRole('link', { name: 'Invalid email format' }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByLabel('Email').fill('rosa@example.com')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We have your message')
  await expect(page.getByText(/Your reference is LW-\w{6}/)).toBeVisible()
})

test('the documentation is searched in the browser, and its code can be copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/documentation')
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill('retry-after')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/documentation\/[a-z-]+/)
  await page.goto('/documentation/first-webhook')
  const code = page.locator('.code-frame').first()
  await code.getByRole('button', { name: 'Copy code' }).click()
  await expect(code.getByRole('button')).toHaveText('Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.locator('pre').textContent())
})

test('the home page follows what is typed, and knows who is signed in', async ({ page, client }) => {
  await page.goto('/')
  const template = page.getByRole('textbox', { name: 'Template' })
  const sent = page.getByRole('region', { name: 'What is sent' })
  await expect(sent).toContainText('"name": "Test Lead"')
  await template.fill('{ "who": "{{first_name}} of {{city}}", "x": "{{phnoe}}" }')
  await expect(sent).toContainText('"who": "Test of Los Angeles"')
  await expect(page.getByText('No lead has phnoe')).toBeVisible()
  await page.getByRole('radio', { name: 'Form data' }).check()
  await expect(sent).toContainText('who=Test+of+Los+Angeles')
  await template.fill('{')
  await expect(page.getByText('Not JSON yet')).toBeVisible()
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(sent).toContainText('"name": "Test Lead"')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()

  await test.step('who is signed in finds the way to the dashboard', async () => {
    await beginSession(page, client.session)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeHidden()
    await page.getByRole('banner').getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.evaluate('localStorage.clear()')
  })
  await test.step('what a mail’s link brought to the home page is for the app', async () => {
    await page.goto('/#error=access_denied&error_code=otp_expired&error_description=x')
    await expect(page.getByRole('alert')).toContainText('Email link is invalid or has expired')
    await expect(page).toHaveURL(/\/auth$/)
  })
})
