import { expect, testApart as test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { readSmoothness, watchSmoothness } from './smoothness.ts'

/** With ten thousand it is also measured how smoothly: `LEADS_IN_LIST=10000 npx playwright test tests/e2e/leads/many-leads.test.ts` (docs/benchmarks.md). */
const MANY = Number(process.env['LEADS_IN_LIST'] ?? 600)

test('a long list is scrolled and paged by keyboard, and draws what is seen', async ({ page, client }) => {
  await runSql(
    `with brought as (
      insert into leads (id, lead_type, assigned_to, assigned_at, status, name, phone, state, price_charged, created_at)
      select uuid_v7(), 'final_expense', $1, now(), 'assigned', 'Sample ' || lpad(i::text, 5, '0'), '+1512555' || lpad((i % 10000)::text, 4, '0'),
        'TX', 25, now() - make_interval(secs => i) from generate_series(1, $2::int) i returning id, assigned_to
    ) insert into lead_assignments (lead_id, client_user_id) select id, assigned_to from brought`,
    [client.id, MANY],
  )
  await watchSmoothness(page)
  await page.goto('/leads?sort=name')
  const frame = page.getByRole('region', { name: 'Leads' })
  const name = (number: number) =>
    page.getByRole('link', { name: `Sample ${String(number).padStart(5, '0')} (unread)`, exact: true })
  await expect(name(1)).toBeVisible()

  // Whoever goes on to the end gets all, without asking for more.
  await frame.focus()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(
      page.getByText(`${MANY.toLocaleString('en-US')} leads shown, that is all of them`),
    ).toBeVisible({
      timeout: 50,
    })
  }).toPass({ timeout: 100_000, intervals: [20] })
  await page.keyboard.press('End')
  await expect(name(MANY)).toBeInViewport()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  expect(await page.getByRole('table', { name: 'Leads' }).getAttribute('aria-rowcount')).toBe(
    String(MANY + 1),
  )

  if (process.env['LEADS_IN_LIST'] !== undefined)
    process.stdout.write(`${JSON.stringify(await readSmoothness(page, frame), null, 2)}\n`)

  // Tab goes on from the row that has the focus, wherever the list was scrolled to meanwhile.
  await frame.focus()
  await page.keyboard.press('Home')
  await expect(name(3)).toBeInViewport()
  await name(3).focus()
  await frame.hover()
  await page.mouse.wheel(0, MANY * 100)
  await expect(name(MANY)).toBeInViewport()
  await expect(name(3)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('[aria-rowindex="4"] a[href^="tel:"]')).toBeFocused()
})
