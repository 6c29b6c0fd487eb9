import { expectToFitAnySize, PHONE } from '#tests/support/browser/any-size.ts'
import { expect, testApart as test } from '#tests/support/browser/browser.ts'

test.use({ viewport: PHONE })

const MOMENT = '2026-01-15T14:20:00Z'
const STANDINGS = [
  ['CA', '6:20 AM PST', 'Outside 8 AM-9 PM'],
  ['TX', '8:20 AM CST or 7:20 AM MST', 'Outside 9 AM-9 PM'],
  ['KS', '8:20 AM CST or 7:20 AM MST', 'Partly outside 8 AM-9 PM'],
  ['FL', '9:20 AM EST or 8:20 AM CST', 'OK to call now'],
] as const

test('the page of a lead says whether this is a time to call, in one time zone or two, and fits a phone', async ({
  page,
  client,
}) => {
  await page.clock.setFixedTime(MOMENT)
  const main = page.getByRole('main')
  for (const [state, times, standing] of STANDINGS) {
    const [id = ''] = await client.receiveLeads([{ name: `Robin of ${state}`, phone: '+12025550143', state }])
    await page.goto(`/leads/${id}`)
    await expect(main.getByText(times, { exact: true })).toBeVisible()
    await expect(main.getByText(standing, { exact: true })).toBeVisible()
    await expectToFitAnySize(page, `a lead of ${state}`)
  }
  for (const title of ['Delivery attempts', 'Consent', 'Ids'])
    await main.getByRole('button', { name: title }).click()
  await expect(main.getByRole('button', { name: 'Copy lead id' })).toBeVisible()
  await expectToFitAnySize(page, 'a lead, unfolded')
})
