import type { Page } from '@playwright/test'
import { PHONE } from '#tests/support/browser/any-size.ts'
import { expect, holdRequests, testApart as test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { readSmoothness, watchSmoothness } from './smoothness.ts'

/**
 * With 10,000 this also measures how smoothly the list scrolls: `LEADS_IN_LIST=10000 npx playwright test
 * tests/e2e/leads/many-leads.test.ts` (docs/measurements/browser.md).
 */
const MANY = Number(process.env['LEADS_IN_LIST'] ?? 600)

test('a long list is scrolled and paged by keyboard, and renders only visible leads', async ({
  page,
  client,
}) => {
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

  // Scrolling to the end loads all leads.
  await goToEnd(page, MANY)
  await page.keyboard.press('End')
  await expect(name(MANY)).toBeInViewport()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  expect(await page.getByRole('table', { name: 'Leads' }).getAttribute('aria-rowcount')).toBe(
    String(MANY + 1),
  )

  if (process.env['LEADS_IN_LIST'] !== undefined)
    process.stdout.write(`${JSON.stringify(await readSmoothness(page, frame), null, 2)}\n`)

  // Tab continues from the focused row, however far the list has scrolled meanwhile.
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

  // The same with cards, which are higher.
  await page.setViewportSize(PHONE)
  await frame.focus()
  for (const [key, number] of [
    ['Home', 1],
    ['End', MANY],
  ] as const) {
    await page.keyboard.press(key)
    await expect(name(number)).toBeInViewport()
  }
  expect(await page.getByRole('row').count()).toBeLessThan(80)
})

test('cards of different heights stay where the list was scrolled to', async ({ page, client }) => {
  // Short cards alternate with high ones, on a phone, with larger text.
  await runSql(
    `insert into leads (id, lead_type, assigned_to, assigned_at, status, name, phone, state, price_charged, created_at)
     select uuid_v7(), 'final_expense', $1, now(), 'assigned', 'Sample ' || i, case when i / 20 % 2 = 0 then '+15125550143' end,
       case when i / 20 % 2 = 0 then 'TX' end, case when i / 20 % 2 = 0 then 125 end, now() - make_interval(secs => i)
     from generate_series(1, 400) i`,
    [client.id],
  )
  await page.setViewportSize(PHONE)
  await page.goto('/leads')
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  const frame = page.getByRole('region', { name: 'Leads' })
  await goToEnd(page, 400)

  const restless: number[] = []
  for (let top = 15_000; top < 30_000; top += 700) {
    await frame.evaluate(`(frame) => (frame.scrollTop = ${top})`)
    if (!(await comesToRest(page))) restless.push(top)
  }
  await page.evaluate("document.documentElement.style.fontSize = ''")
  expect(restless).toEqual([])
})

test('a user at the end during a refresh gets the rest of the list', async ({ page, client }) => {
  await runSql(
    `insert into leads (id, lead_type, assigned_to, assigned_at, status, name, created_at)
     select uuid_v7(), 'final_expense', $1, now(), 'assigned', 'Sample ' || i, now() - make_interval(secs => i)
     from generate_series(1, 60) i`,
    [client.id],
  )
  await page.goto('/leads')
  await expect(page.getByText('25 leads shown')).toBeVisible()
  // The screen's own requests from now on are answered when the end is reached.
  const [asked, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/api\/v1\/leads\?/, async (route) => {
    asked.resolve()
    await reached.promise
    await route.continue()
  })
  await client.receiveLeads([{ name: 'Newest', email: 'newest@example.com' }])
  await asked.promise
  const frame = page.getByRole('region', { name: 'Leads' })
  await frame.focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('link', { name: 'Sample 25', exact: true })).toBeInViewport()
  reached.resolve()
  await expect(page.getByText('61 leads shown, that is all of them')).toBeVisible()
})

test('a user who reaches the end after two refreshes gets the rest of the list', async ({ page, client }) => {
  await runSql(
    `insert into leads (id, lead_type, assigned_to, assigned_at, status, name, created_at)
     select uuid_v7(), 'final_expense', $1, now(), 'assigned', 'Sample ' || i, now() - make_interval(secs => i)
     from generate_series(1, 60) i`,
    [client.id],
  )
  const list = /\/api\/v1\/leads\?limit=25/
  const release = await holdRequests(page, list)
  const asked = page.waitForRequest(list)
  await page.goto('/leads')
  await asked
  // A change is reported before the first answer has come, so the screen asks once more right after it.
  const heard = page.evaluate(`new Promise((resolve) => {
    new BroadcastChannel('leadwire.changes').onmessage = () => resolve(true)
  })`)
  await client.receiveLeads([{ name: 'Newest', email: 'newest@example.com' }])
  await heard
  const answers: string[] = []
  page.on('requestfinished', (request) => {
    if (list.test(request.url())) answers.push(request.url())
  })
  await release()
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(2)
  await expect(page.getByText('25 leads shown')).toBeVisible()
  await page.getByRole('region', { name: 'Leads' }).focus()
  await page.keyboard.press('End')
  await expect(page.getByText('61 leads shown, that is all of them')).toBeVisible()
})

/** Scrolls page by page to the end; each page loads without a click. */
async function goToEnd(page: Page, count: number): Promise<void> {
  await page.getByRole('region', { name: 'Leads' }).focus()
  const all = `${count.toLocaleString('en-US')} leads shown, that is all of them`
  const shown = page.getByText(/ leads shown/)
  for (let now = await shown.innerText(); now !== all; now = await shown.innerText()) {
    // Cards turn out higher than estimated, so the end moves and End must be pressed again.
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(shown).not.toHaveText(now, { timeout: 1000 })
    }).toPass({ timeout: 60_000 })
  }
}

/** True if the list stops changing: among many frames, twenty in a row render nothing new. */
async function comesToRest(page: Page): Promise<boolean> {
  return await page.evaluate(`new Promise((resolve) => {
    let [quiet, all] = [0, 0]
    const frame = document.querySelector('[role=region][aria-label=Leads]')
    const changes = new MutationObserver(() => (quiet = 0))
    changes.observe(frame, { childList: true, subtree: true, attributes: true })
    const look = () => {
      quiet += 1
      all += 1
      if (quiet < 20 && all < 300) return requestAnimationFrame(look)
      changes.disconnect()
      resolve(quiet >= 20)
    }
    requestAnimationFrame(look)
  })`)
}
