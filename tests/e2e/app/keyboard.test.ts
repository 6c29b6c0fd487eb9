import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'

const ROLES = ['button', 'textbox', 'combobox', 'switch'] as const

test('the keyboard alone creates a webhook (check 18)', async ({ page }) => {
  await page.goto('/client-integrations?view=configure')
  const focused = (name: string) => expect(page.locator(':focus')).toHaveAccessibleName(name)
  const tabTo = async (name: string) => {
    const named = ROLES.map((role) => page.getByRole(role, { name, exact: true }))
    const target = named.reduce((all, one) => all.or(one)).and(page.locator(':focus'))
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await target.count()) > 0) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await expect(page.getByRole('button', { name: 'Create Your First Webhook' })).toBeVisible()
  await tabTo('Create Your First Webhook')
  await page.keyboard.press('Enter')
  await focused('Webhook Name')
  await page.keyboard.type('Typed CRM')
  await page.keyboard.press('Tab')
  await focused('Endpoint URL')
  await page.keyboard.type('http://127.0.0.1:4999/typed')
  await page.keyboard.press('Tab')
  await focused('HTTP Method')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'PUT' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'HTTP Method' })).toHaveText('PUT')
  await tabTo('Active')
  await page.keyboard.press('Space')
  await expect(page.getByRole('switch', { name: 'Active', exact: true })).not.toBeChecked()
  await tabTo('Advanced options')
  await page.keyboard.press('Enter')
  // Until the editor is loaded there is one tab stop less.
  await expect(page.getByRole('textbox', { name: 'Payload Template' })).toBeVisible()
  await tabTo('Insert a placeholder or a format')
  await page.keyboard.type('county')
  await page.keyboard.press('Enter')
  await focused('Payload Template')
  await expect(page.locator(':focus')).toContainText('{{county}}')
  await page.keyboard.press('Control+Z')
  await expect(page.locator(':focus')).not.toContainText('{{county}}')
  // No keyboard trap: Tab leaves the editor, forwards and back.
  await page.keyboard.press('Tab')
  await focused('Insert a placeholder or a format')
  await page.keyboard.press('Shift+Tab')
  await focused('Payload Template')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Webhook created successfully')).toBeVisible()
  await page.keyboard.press('Escape')
  await focused('Add Webhook')
  const row = page.getByRole('row').filter({ hasText: 'Typed CRM' })
  await expect(row).toContainText('PUT')
  await expect(row).toContainText('Inactive')
})

test('the button that has saved a form keeps the focus', async ({ page, client }) => {
  const [id = ''] = await client.receiveLeads([
    { name: 'Zoe Quill', email: 'zoe@example.com', phone: '+12025550143' },
  ])
  await page.goto(`/leads/${id}`)
  const button = page.getByRole('button', { name: 'Save notes' })
  const notes = page.getByRole('textbox', { name: 'Notes' })
  await expect(button).toBeDisabled()
  await notes.fill('Calls after eight')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Notes saved')).toBeVisible()
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
  let saved = 0
  page.on('request', (request) => (saved += request.method() === 'PATCH' ? 1 : 0))
  await page.keyboard.press('Enter')
  await notes.fill('Calls at nine')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(button).toBeDisabled()
  await expect.poll(() => saved).toBe(1)
})

test.describe('before the app', () => {
  test.use({ session: SIGNED_OUT })

  test('the focus of a new screen starts at its heading', async ({ page }) => {
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
    await expect(heading('Forgot your password?')).toBeFocused()
    const email = page.getByRole('textbox', { name: 'Email' })
    await expect(email).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(email).toBeFocused()
    await page.getByRole('link', { name: 'Sign in with a password' }).press('Enter')
    await expect(heading('Sign in to your leads')).toBeFocused()
    await page.getByRole('tab', { name: 'Sign up' }).click()
    await expect(page.getByRole('tab', { name: 'Sign up' })).toBeFocused()
    await page.getByRole('link', { name: 'Secure sign-up' }).press('Enter')
    await expect(heading('Secure sign-up')).toBeFocused()
  })
})
