import { findFaults, readWidth } from '#scripts/look/find-faults.ts'
import { beginSession, expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { readSite } from '#tests/support/site/read-site.ts'

test.use({ session: SIGNED_OUT })

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/** Checking every layout takes longer than a test may on a slow machine, so parts run side by side. */
const PARTS = 4

for (let part = 0; part < PARTS; part++) {
  test(`each layout has no accessibility fault, wide and narrow, light and dark: part ${part + 1} of ${PARTS}`, async ({
    page,
  }) => {
    // `npm run look -- --axe` checks every page in every variant.
    const paths = await readPaths()
    const firsts = paths.filter((path, at) => at === paths.findIndex((it) => layoutOf(it) === layoutOf(path)))
    for (const path of firsts.filter((_, at) => at % PARTS === part)) {
      await test.step(path, async () => {
        await page.setViewportSize(WIDE)
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(path)
        expect.soft(await findFaults(page, 'every'), path).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.setViewportSize(PHONE)
        expect.soft(await findFaults(page, 'every'), `${path}, dark and narrow`).toEqual([])
        await expect.soft.poll(() => readWidth(page), path).toBeLessThanOrEqual(PHONE.width)
      })
    }
  })
}

test('every page fits a phone, with text twice as large', async ({ page }) => {
  const paths = await readPaths()
  // Pages of the API reference are long, and one function makes all of them.
  const room = paths.find((path) => layoutOf(path) === '/documentation/api/')
  await page.setViewportSize(PHONE)
  for (const path of paths.filter((it) => it === room || layoutOf(it) !== '/documentation/api/')) {
    await test.step(path, async () => {
      await page.goto(path)
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
      await expect.soft.poll(() => readWidth(page), path).toBeLessThanOrEqual(PHONE.width)
    })
  }
})

async function readPaths(): Promise<string[]> {
  return (await readSite(readEnvironment().server)).map(({ path }) => path)
}

/**
 * Guides, articles, tags, legal pages and announcements differ only in their text, so one page of each is
 * enough.
 */
function layoutOf(path: string): string {
  if (/^\/(?:privacy-policy|terms-of-service|cookies|tcpa)$/.test(path)) return 'legal'
  if (path.startsWith('/ai-')) return 'announcement'
  if (/^\/(?:api|help-center)$/.test(path)) return 'text'
  if (path.startsWith('/blog/tags/')) return '/blog'
  return path.replace(/^(\/(?:documentation(?:\/api)?|blog)\/).*/, '$1')
}

test('every page is readable without scripts and has no dead link, and at least 50 have a sharing picture of their own', async () => {
  const { server } = readEnvironment()
  const pages = await readSite(server)
  expect(pages.length).toBeGreaterThanOrEqual(55)
  const faults: string[] = []
  const known = new Map(pages.map((one) => [one.path, one]))
  const answers = new Map<string, Promise<number>>()
  const ask = async (path: string) => (await fetch(server + path)).status
  let count = 0
  for (const { path, status, html, links, ids } of pages) {
    if (status !== (path.endsWith('/nowhere') ? 404 : 200)) faults.push(`${path} answers ${status}`)
    if (!/<h1[ >]/.test(html)) faults.push(`${path} has no heading`)
    if (/ style="|<style|<script(?![^>]* (?:src|type="application\/ld))/.test(html))
      faults.push(`${path} has something inline`)
    count += links.length
    for (const link of links) {
      const [to = '', anchor] = link.split('#')
      const target = to === '' ? path : to
      const page = to === '' ? { ids } : known.get(target.replace(/\?.*/, ''))
      if (page === undefined) {
        if (!answers.has(target)) answers.set(target, ask(target))
        const answer = await answers.get(target)
        if (answer !== 200) faults.push(`${path} leads to ${target}, which answers ${answer}`)
      } else if (anchor !== undefined && !page.ids.has(anchor)) faults.push(`${path} leads to ${link}`)
    }
  }
  process.stdout.write(`Public site: ${count} links on ${pages.length} pages\n`)
  expect(faults).toEqual([])

  const listed = pages.filter(({ html }) => html.includes('rel="canonical"') && !/name="robots"/.test(html))
  const pictures = listed.flatMap(({ html }) => /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? [])
  const own = new Set(pictures.filter((address) => !address.endsWith('/card.png')))
  expect(own.size).toBeGreaterThanOrEqual(50)
  const picture = Buffer.from(await (await fetch([...own][0] ?? '')).arrayBuffer())
  expect([picture.toString('latin1', 1, 4), picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
    'PNG',
    1200,
    630,
  ])
})

test('without JavaScript the menu opens, guides can be read, and the contact form answers', async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: readEnvironment().server,
    javaScriptEnabled: false,
    viewport: PHONE,
    colorScheme: 'dark',
  })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What is sent' })).toContainText('"name": "Test Lead"')
  await expect(page.getByRole('button', { name: 'Start again' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Go to dashboard' })).toBeHidden()
  await page.getByText('Are leads shared?').click()
  await expect(page.getByText('A lead is assigned to one client.')).toBeVisible()
  await page.locator('summary').first().click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Documentation' }).click()
  await expect(page.getByRole('combobox', { name: 'Search the documentation' })).toBeHidden()
  await page.getByRole('link', { name: 'Verify a signature' }).click()
  await expect(page.getByText('import { createHmac, timingSafeEqual }')).toBeVisible()
  await page.getByText('All guides').click()
  await page.getByRole('navigation', { name: 'All guides' }).getByRole('link', { name: 'Limits' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Limits' })).toBeVisible()
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Rosa Example')
  // A browser accepts this as an address; the server does not.
  await page.getByLabel('Email').fill('rosa@localhost')
  await page.getByLabel('Message').fill('Which states have leads?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid email format')
  await expect(page.getByLabel('Message')).toHaveValue('Which states have leads?')
  await context.close()
})

test('an invalid message comes back as it was typed, and a valid one gets a reference', async ({ page }) => {
  await page.goto('/contact?topic=report_call')
  await expect(page.getByLabel('Topic')).toHaveValue('report_call')
  await page.getByLabel('Name').fill('Rosa "Ro" & <Co>')
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Message').fill('They called at 6 AM.\n</textarea>')
  // The browser would refuse to send it.
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

test('the keyboard alone searches the documentation, copies code, and opens and leaves the menu of a phone', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const focused = page.locator(':focus')
  await page.goto('/documentation')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Skip to content')
  await expect(focused).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Search the documentation')
  await page.keyboard.type('retry-after')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Space')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/documentation\/[a-z-]+/)
  await page.goto('/documentation/first-webhook')
  const code = page.locator('.code-frame').first()
  // A wide block can be scrolled by keyboard, and the next tab stop is its button.
  await code.locator('pre').focus()
  await page.keyboard.press('Tab')
  await expect(focused).toHaveAccessibleName('Copy code')
  await page.keyboard.press('Enter')
  await expect(code.getByRole('button')).toHaveText('Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.locator('pre').textContent())

  await page.setViewportSize(PHONE)
  await page.locator('header summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(focused).toHaveText('Integrations')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden()
  await expect(focused).toHaveAccessibleName('Menu')
})

test('the home page updates while the visitor types, and knows whether somebody is signed in', async ({
  page,
  client,
}) => {
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

  await test.step('a signed-in user finds a link to the dashboard', async () => {
    await beginSession(page, client.session)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeHidden()
    await page.getByRole('banner').getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.evaluate('localStorage.clear()')
  })
  await test.step('a mail’s link that opens the home page is forwarded to the app', async () => {
    await page.goto('/#error=access_denied&error_code=otp_expired&error_description=x')
    await expect(page.getByRole('alert')).toContainText('Email link is invalid or has expired')
    await expect(page).toHaveURL(/\/auth$/)
  })
})
