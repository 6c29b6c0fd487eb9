import { expect, holdRequests, test } from '#tests/support/browser/browser.ts'

test('signing out in one tab signs out the others', async ({ page, context }) => {
  await page.goto('/client-integrations')
  const other = await context.newPage()
  await other.goto('/leads')
  await expect(other.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(other).toHaveURL(/\/auth/)
})

test('a session that was ended elsewhere leads to the sign-in screen, and after signing in back to the page', async ({
  page,
  client,
}) => {
  // Held from the first request on; one in flight at the end of the session would tell the app too early.
  const release = await holdRequests(page, '**/api/v1/**')
  await page.goto('/client-integrations')
  await expect(page.getByRole('heading', { level: 1, name: 'Integrations' })).toBeVisible()
  await client.call('POST', '/auth/v1/logout?scope=global')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  await expect(page).toHaveURL(/\/leads$/)
  await release()
  await expect(page).toHaveURL(/\/auth\?return_to=%2Fleads$/)
  await expect(page.getByText('Your session has ended. Sign in to go on where you were.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(client.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})
