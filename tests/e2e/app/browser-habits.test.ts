import { expect, SIGNED_OUT, test, testApart } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, signUpClient } from '#tests/support/browser/e2e-client.ts'

const SEARCH = { name: 'Search leads' }
const ZOE = { name: 'Zoe Quill', email: 'zoe@example.com', phone: '+12025550143' }

testApart.describe('a password manager', () => {
  testApart.use({ session: SIGNED_OUT })

  testApart('can fill the form in without an error', async ({ page }) => {
    const { email } = await signUpClient()
    await page.goto('/auth')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await page.evaluate(`{
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
      set.call(document.querySelector('input[type=email]'), ${JSON.stringify(email)})
      set.call(document.querySelector('input[type=password]'), ${JSON.stringify(GOOD_PASSWORD)})
    }`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
})

test('the Enter key that ends a word of an input method opens nothing', async ({ page, client }) => {
  await client.receiveLeads([ZOE])
  await page.goto('/dashboard')
  const box = page.getByRole('combobox', SEARCH)
  await box.fill('zoe')
  await expect(page.getByRole('option')).toHaveCount(1)
  for (const sign of ['isComposing: true', 'keyCode: 229'])
    await page.evaluate(`document.querySelector('input[type=search]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ${sign} }))`)
  await expect(page.getByRole('option')).toHaveCount(1)
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  await box.press('Enter')
  await expect(page).toHaveURL(/\/leads\//)
})

test('Ctrl and a click, the middle button and Ctrl+Enter open a found lead in a new tab', async ({
  page,
  context,
  client,
}) => {
  await client.receiveLeads([ZOE])
  await page.goto('/dashboard')
  const box = page.getByRole('combobox', SEARCH)
  await box.fill('zoe')
  const found = page.getByRole('option')
  await expect(found).toHaveCount(1)
  for (const act of [
    () => found.click({ modifiers: ['Control'] }),
    () => found.click({ button: 'middle' }),
    () => box.press('Control+Enter'),
  ]) {
    const opened = context.waitForEvent('page')
    await box.focus()
    await act()
    const tab = await opened
    await expect(tab).toHaveURL(/\/leads\//)
    await tab.close()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
  }
})

test('Back returns to where a list, help, billing and analytics were left', async ({ page, client }) => {
  await client.receiveLeads(
    Array.from({ length: 45 }, (_, index) => ({
      name: `Robin Example ${index}`,
      email: `robin-${index}@example.com`,
      phone: `+1202555${String(100 + index).padStart(4, '0')}`,
    })),
  )
  await page.setViewportSize({ width: 1280, height: 400 })
  for (const screen of ['/leads', '/help', '/settings?tab=billing', '/analytics']) {
    await page.goto(screen)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await page.mouse.move(700, 300)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 200)
        return await page.evaluate<number>('scrollY')
      })
      .toBeGreaterThan(150)
    // Waits until all movement has stopped.
    let depth = -1
    await expect
      .poll(async () => {
        const before = depth
        depth = await page.evaluate<number>('scrollY')
        return depth === before
      })
      .toBe(true)
    await page.evaluate(`document.querySelector('nav a[href="/client-integrations"]').click()`)
    await expect(page.getByRole('heading', { level: 1, name: 'Integrations' })).toBeVisible()
    // Simulates a later time, when the screen's data is no longer in memory.
    await page.reload()
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`${screen.replace('?', '\\?')}$`))
    await expect.poll(() => page.evaluate<number>('scrollY'), { message: screen }).toBeGreaterThan(depth - 3)
    // Opened anew, the same screen begins at its top.
    await page.goto('/dashboard')
    await page.goto(screen)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await page.evaluate<number>('scrollY'), screen).toBe(0)
  }
})

testApart.describe('on a touch screen', () => {
  testApart.use({ isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } })

  testApart('no field has text so small that a phone zooms in', async ({ page }) => {
    for (const screen of ['/auth', '/leads', '/settings?tab=profile', '/orders', '/contact', '/help']) {
      await page.goto(screen)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const sizes = await page.evaluate<number[]>(
        `[...document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=hidden]), textarea, select')].map((field) => parseFloat(getComputedStyle(field).fontSize))`,
      )
      for (const size of sizes) expect(size, screen).toBeGreaterThanOrEqual(16)
    }
  })
})
