import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, runSqlAt } from '#tests/support/browser/e2e-client.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'

const ADMIN = { email: 'admin@example.com', password: GOOD_PASSWORD }
let product: SecondProduct
// Without a worker nothing changes the counts, and only this test's deliveries are counted.
test.beforeAll(async () => {
  product = await startSecondProduct(
    { SEED_ADMIN_EMAIL: ADMIN.email, SEED_ADMIN_PASSWORD: ADMIN.password },
    { worker: false },
  )
})
test.afterAll(() => product.close())
test.use({ session: SIGNED_OUT })

/** 50 deliveries under way, 80 that wait for a retry, 12 held at a silent endpoint, and 3 dead letters. */
async function givenOutage(): Promise<void> {
  const answer = await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'client@example.com', password: GOOD_PASSWORD }),
  })
  const { access_token: token, user } = (await answer.json()) as {
    access_token: string
    user: { id: string }
  }
  await fetch(`${product.url}/api/v1/webhook-configs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }),
  })
  await runSqlAt(
    product.environment.databaseUrl,
    `with config as (
      select id from client_webhook_configs where client_user_id = $1::uuid
    ), silent as (
      insert into webhook_endpoint_health (webhook_config_id, breaker) select id, 'open' from config
    ), lead as (
      insert into leads (user_id, name, lead_type) select $1::uuid, 'Rosa Example', 'final_expense' from generate_series(1, 145)
      returning id
    ), told as (
      insert into events (type, lead_id, client_user_id, planned_at, enqueued_at)
      select 'lead.created', id, $1::uuid, now(), now() from lead returning id, lead_id
    ), numbered as (
      select *, row_number() over (order by id) as number from told
    ), kinds (first, last, state, due, leased, attempt, reason, ended) as (values
      (1, 50, 'pending', now() - interval '5 seconds', now() + interval '10 minutes', 0, null, null::timestamptz),
      (51, 130, 'pending', now() + interval '10 minutes', null, 1, null, null),
      (131, 142, 'held', null, null, 0, null, null),
      (143, 145, 'failed', null, null, 8, 'timeout', now() - interval '1 minute')
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
      next_attempt_at, lease_until, lease_token, failure_class, finished_at)
    select n.id, 'lead.created', config.id, $1::uuid, n.lead_id, k.state, k.attempt, k.due, k.leased,
      case when k.leased is not null then gen_random_uuid() end, k.reason, k.ended
    from numbered n join kinds k on n.number between k.first and k.last, config`,
    [user.id],
  )
}

test('the queue dashboard, the administration and the API count the same deliveries', async ({ page }) => {
  await givenOutage()
  const token = await becomeAdministrator(page, { admin: ADMIN, server: product.url })
  const expected = { waiting: 0, active: 50, delayed: 92, failed: 3, completed: 0 }

  const answer = await fetch(`${product.url}/api/v1/admin/queues`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { total } = (await answer.json()) as { total: Record<string, { count: number }> }
  const counted = Object.entries(total).map(([state, { count }]) => [state, count])
  expect(Object.fromEntries(counted)).toEqual({ ...expected, held: 12 })

  await page.goto(`${product.url}/admin/deliveries`)
  const strip = page.getByRole('region', { name: 'Deliveries by state' })
  await expect(strip.locator('dl > div')).toHaveText([
    /^Waiting0/,
    /^Active50/,
    /^Delayed92.*12 held$/,
    /^Failed3/,
    /^Completed0/,
  ])

  await page.getByRole('button', { name: 'Open queue dashboard' }).click()
  await expect(page).toHaveURL(/\/admin\/queues$/)
  await page.goto(`${product.url}/admin/queues/queue/webhook-deliveries`)
  for (const [state, count] of Object.entries(expected).filter(([, number]) => number > 0))
    await expect(page.getByRole('link', { name: new RegExp(`^${state}\\W*${count}$`, 'i') })).toBeVisible()
})
