import type { Page } from '@playwright/test'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import {
  expect,
  failRequests,
  holdRequests,
  SIGNED_OUT,
  test,
  testApart,
  toast,
} from '#tests/support/browser/browser.ts'

const TITLES = [
  'Describe your business',
  'Order leads',
  'Add a webhook',
  'Send yourself a test lead',
  'Add funds',
  'Approval',
]
const CLIENT_STEPS = TITLES.slice(0, -1)

async function expectStep(page: Page, number: number): Promise<void> {
  await expect(page.getByText(`Step ${number} of 6`)).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: TITLES[number - 1] ?? '' })).toBeVisible()
}

test('a step keeps typed text after an error and a visit to another step, and a returning client continues there', async ({
  page,
}) => {
  const main = page.getByRole('main')
  const name = main.getByRole('textbox', { name: 'Business name' })
  const save = main.getByRole('button', { name: 'Save and continue' })
  const steps = main.getByRole('navigation', { name: 'Steps' })
  await page.goto('/onboarding')
  await expectStep(page, 1)
  await save.click()
  await expect(main.getByText('Business name is required')).toBeVisible()
  await expect(main.getByText('Choose at least one state, or all')).toBeVisible()
  await expect(name).toBeFocused()

  await name.fill('Example Agency')
  await main.getByRole('checkbox', { name: 'All of West' }).check()
  await main.getByRole('textbox', { name: 'Business phone' }).fill('12')
  await save.click()
  const phone = main.getByRole('textbox', { name: 'Business phone' })
  await expect(phone).toHaveAttribute('aria-invalid', 'true')
  await expectStep(page, 1)
  await phone.fill('(202) 555-0143')
  const down = await failRequests(page, '**/api/v1/account', ['PATCH'])
  await save.click()
  await expect(main.getByText('Your business was not saved')).toBeVisible()
  await down.end()

  await steps.getByRole('link', { name: /Order leads/ }).click()
  await expectStep(page, 2)
  await main.getByRole('textbox', { name: 'Name', exact: true }).fill('My order')
  await steps.getByRole('link', { name: /Describe your business/ }).click()
  await expect(name).toHaveValue('Example Agency')
  await save.click()
  await expect(toast(page, 'Your business is saved')).toBeVisible()
  await expectStep(page, 2)
  await expect(main.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('My order')

  const failing = await failRequests(page, '**/api/v1/setup/skip')
  await main.getByRole('button', { name: 'Skip for now' }).click()
  await expect(main.getByText('The step could not be skipped')).toBeVisible()
  await failing.end()
  await main.getByRole('button', { name: 'Skip for now' }).click()
  await expectStep(page, 3)

  // None of it is stored in the browser.
  await page.evaluate('sessionStorage.clear()')
  await page.goto('/dashboard')
  const list = page.getByRole('list', { name: 'Your first lead' })
  await expect(page.getByText('1 of 6 done')).toBeVisible()
  await expect(list.getByText('Skipped')).toHaveCount(1)
  await page.goto('/onboarding')
  await expectStep(page, 3)
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, colorScheme: 'light' })

  test('every step can be skipped by keyboard alone, has no accessibility fault, and fits the screen', async ({
    page,
  }) => {
    const main = page.getByRole('main')
    const look = async (screen: string) => {
      await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
      await expectToFitAnySize(page, screen)
      expect.soft(await findFaults(page), screen).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect.soft(await findFaults(page, 'colours'), `${screen}, dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    }
    const skip = main.getByRole('button', { name: 'Skip for now' })
    await page.goto('/onboarding')
    for (const [index, title] of CLIENT_STEPS.entries()) {
      await expectStep(page, index + 1)
      if (index > 0) await expect(page.locator(':focus')).toHaveText(title)
      await expect(skip).toBeVisible()
      await look(title)
      await skip.focus()
      await page.keyboard.press('Enter')
    }
    await expect(page.getByRole('heading', { level: 2, name: 'That is all for now' })).toBeFocused()
    await expect(main.getByText('You skipped 5 steps.')).toBeVisible()
    await expect(main.getByRole('list', { name: 'Your steps' }).getByText('Skipped')).toHaveCount(5)
    await look('the end')
    await main
      .getByRole('navigation', { name: 'Steps' })
      .getByRole('link', { name: /^Approval/ })
      .click()
    await expectStep(page, 6)
    await expect(main.getByText(/^Since [A-Z][a-z]{2} \d/)).toBeVisible()
    await expect(skip).toHaveCount(0)
    await look('Approval')
    await main.getByRole('button', { name: 'Continue' }).click()
    await main.getByRole('list', { name: 'Your steps' }).getByRole('link', { name: 'Add a webhook' }).click()
    await expectStep(page, 3)
  })
})

test('a test lead that the endpoint refuses shows the answer, and another one is received', async ({
  page,
  client,
}) => {
  let status = 500
  const receiver = await startReceiver(() => status)
  await client.addWebhook({ endpoint_url: receiver.url })
  const main = page.getByRole('main')
  const run = main.getByRole('button', { name: 'Run Assignment Test' })
  await page.goto('/onboarding?step=test_lead')
  await run.click()
  await expect(main.getByText('Failed · 500')).toBeVisible()
  await expect(main.getByText('Your endpoint has not accepted the test lead yet.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Skip for now' })).toBeVisible()
  status = 200
  await run.click()
  await expect(main.getByText('Success · 200')).toBeVisible()
  await expect(main.getByText('Your endpoint received the test lead.')).toBeVisible()
  await main.getByRole('button', { name: 'Continue' }).click()
  await expectStep(page, 5)
  await receiver.close()
})

test('the first steps show a single card while they load, and offer another try after a failure', async ({
  page,
}) => {
  const release = await holdRequests(page, '**/api/v1/setup')
  await page.goto('/onboarding')
  await expect(page.getByRole('heading', { level: 1, name: 'Set up your account' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toHaveCount(1)
  await release()
  await expectStep(page, 1)

  const down = await failRequests(page, '**/api/v1/setup')
  await page.reload()
  await expect(page.getByText('Your set-up could not be loaded.')).toBeVisible({ timeout: 30_000 })
  await down.end()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expectStep(page, 1)
})

testApart.describe('in Honolulu', () => {
  testApart.use({ timezoneId: 'Pacific/Honolulu' })

  testApart(
    'the business’s zone is proposed by the browser, stored, and inherited by the first order',
    async ({ page, client }) => {
      const main = page.getByRole('main')
      await page.goto('/onboarding')
      await expectStep(page, 1)
      await expect(main.getByRole('combobox', { name: 'Time zone' })).toHaveText('Hawaii (Honolulu)')
      await expect(main.getByText(/^Proposed by your browser/)).toBeVisible()
      await main.getByRole('textbox', { name: 'Business name' }).fill('Example Agency')
      await main.getByRole('checkbox', { name: 'All states' }).check()
      await main.getByRole('button', { name: 'Save and continue' }).click()
      await expectStep(page, 2)
      expect(await client.call<object>('GET', '/api/v1/account')).toMatchObject({
        timezone: 'Pacific/Honolulu',
      })
      await expect(main.getByText('Mon–Fri 09:00–18:00, Hawaii (Honolulu)')).toBeVisible()
      await expect(main.getByText('10 a day at $25: up to $1,250 a week')).toBeVisible()
      await main.getByRole('textbox', { name: 'Name', exact: true }).fill('My order')
      await main.getByRole('button', { name: 'Create order' }).click()
      await expectStep(page, 3)
      const { data } = await client.call<{ data: object[] }>('GET', '/api/v1/orders')
      expect(data).toMatchObject([{ timezone: 'Pacific/Honolulu', paused_by: null }])
    },
  )
})

test.describe('an administrator', () => {
  test.use({ session: SIGNED_OUT })

  test('has nothing to set up, and sees no first steps', async ({ page }) => {
    await becomeAdministrator(page)
    await page.goto('/onboarding')
    await expect(page.getByText('Administrators buy no leads, so there is nothing to set up.')).toBeVisible()
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Newest leads' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Your first lead' })).toHaveCount(0)
  })
})
