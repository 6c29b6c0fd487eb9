import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test, testApart } from '#tests/support/browser/browser.ts'

test.use({ session: SIGNED_OUT })

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })
/** The file with the session code, which is loaded at the first touch. */
const SESSION_PART = /\/assets\/session-[^/]*\.js$/

testApart(
  'a form that a program fills in and submits signs in, even if nobody has touched the page',
  async ({ page, client }) => {
    await page.goto('/auth')
    await expect(email(page)).toBeVisible()
    await page.evaluate(`{
    const set = (field, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value)
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    const [address, secret] = document.querySelectorAll('form input')
    set(address, ${JSON.stringify(client.email)})
    set(secret, ${JSON.stringify(client.password)})
    secret.form.requestSubmit()
  }`)
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

testApart(
  'a file that fails to load loses no typed text, and loads at the next try',
  async ({ page, client }) => {
    const line = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await page.route(
      SESSION_PART,
      async (route) => {
        asked.resolve()
        await line.promise
        await route.abort()
      },
      { times: 1 },
    )
    await page.goto('/auth')
    await email(page).fill(client.email)
    await asked.promise
    const judged = page.waitForResponse((response) => new URL(response.url()).pathname === '/auth')
    line.resolve()
    await (await judged).finished()
    await expect(email(page)).toHaveValue(client.email)
    await password(page).fill(client.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

testApart('after a deployment the sign-in screen reloads when it is first touched', async ({ page }) => {
  await page.route(SESSION_PART, (route) => route.abort(), { times: 1 })
  await page.goto('/auth')
  await expect(email(page)).toBeVisible()
  const body = '<script type="module" src="/assets/index-of-today.js"></script>'
  await page.route('**/auth', (route) => route.fulfill({ contentType: 'text/html', body }), { times: 1 })
  const again = page.waitForEvent('load')
  await email(page).focus()
  await again
  await expect(email(page)).toBeVisible()
})

test('without a connection the form still appears', async ({ page }) => {
  await page.goto('/secure-signup')
  await page.evaluate(`dispatchEvent(new Event('offline'))`)
  await page.getByRole('link', { name: 'I have an account' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})
