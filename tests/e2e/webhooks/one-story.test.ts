import type { Page } from '@playwright/test'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import type { E2eClient } from '#tests/support/browser/e2e-client.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

/** Names what a screen shows of the delivery to the webhook that breaks and is repaired. */
type Story = 'failed' | 'waiting' | 'delivered' | 'unclear'
/** The name of a screen or answer, and a function that reads its story. */
type Teller = readonly [string, () => Promise<Story>]

const MOST_APART_MS = 1000
/** Steps of a screen: it hears of the change, waits for its round, gets its answer, and shows it. */
const STEPS = 4

/**
 * Reads the counts of three webhooks: the first has the lead, the last waits for an hour, and this one is
 * between.
 */
function readCounts(text: string): Story {
  if (text.includes('2 delivered')) return 'delivered'
  if (text.includes('1 failed')) return 'failed'
  return /1 delivered, (1 retrying, 1 waiting|2 retrying)/.test(text) ? 'waiting' : 'unclear'
}

async function readHealthOf(client: E2eClient, name: string): Promise<Story> {
  const { data } = await client.call<{ data: EndpointHealth[] }>('GET', '/api/v1/webhook-configs/health')
  const one = data.find(({ webhook_name }) => webhook_name === name)
  if (one === undefined) return 'unclear'
  if (one.waiting > 0) return 'waiting'
  return one.standing === 'failing' ? 'failed' : 'delivered'
}

async function readText(page: Page, selector: string): Promise<string> {
  const found = page.locator(selector)
  const texts = await found.allTextContents()
  return texts.join(' ')
}

const readBadge = (text: string): Story => {
  if (text.startsWith('Success')) return 'delivered'
  return /being sent|Pending|due|next attempt/.test(text)
    ? 'waiting'
    : text.startsWith('Failed')
      ? 'failed'
      : 'unclear'
}

/** Reads the story from the row, the notice and the health of the repaired webhook. */
const readTrouble = (text: string): Story => {
  if (/1 delivery waits/.test(text)) return 'waiting'
  return text === '' ? 'delivered' : 'failed'
}

/**
 * Reads all screens repeatedly, each as fast as it answers, until they agree on the end.
 * @returns the longest time in milliseconds that two of them differed, and which ones; and the longest and the usual
 * duration of one read: the measurement's error, and how slow the machine is
 */
async function timeDifferences(page: Page, tellers: readonly Teller[], end: Story) {
  const told = new Map<string, Story>()
  let apart: { since: number; how: string } | undefined
  let most = { longest: 0, how: 'not at all' }
  const looks: number[] = []
  const over = new AbortController()
  const until = Date.now() + 60_000
  const note = (name: string, story: Story) => {
    const at = Date.now()
    told.set(name, story)
    if (told.size < tellers.length) return
    const isOne = new Set(told.values()).size === 1
    if (!isOne) apart ??= { since: at, how: `${name} was the first to say ${story}` }
    else if (apart !== undefined) {
      const ms = at - apart.since
      if (ms > most.longest) most = { longest: ms, how: `${apart.how}, ${name} the last` }
      apart = undefined
    }
    if (isOne && story === end) over.abort()
  }
  const watch = async ([name, read]: Teller) => {
    while (!over.signal.aborted) {
      const began = Date.now()
      const story = await read()
      looks.push(Date.now() - began)
      if (told.get(name) !== story) note(name, story)
      if (Date.now() > until) throw new Error(`They never agreed on ${end}: ${JSON.stringify([...told])}`)
      // Paces the reads; ten readers at full speed would slow the screens down.
      await page.waitForTimeout(75)
    }
  }
  await Promise.all(tellers.map(watch))
  looks.sort((a, b) => a - b)
  return { ...most, lookMs: looks.at(-1) ?? 0, usualMs: looks[Math.floor(looks.length / 2)] ?? 0 }
}

test('all screens agree about a lead, its deliveries and their endpoints while they are sent again', async ({
  page,
  context,
  client,
}) => {
  const good = await startReceiver()
  const broken = await startReceiver(500)
  const slow = await startReceiver({ status: 429, headers: { 'retry-after': '3600' } })
  await client.addWebhook({ webhook_name: 'Good CRM', endpoint_url: good.url })
  const id = await client.addWebhook({ webhook_name: 'Mended CRM', endpoint_url: broken.url })
  await client.addWebhook({ webhook_name: 'Slow CRM', endpoint_url: slow.url })
  const [leadId = ''] = await client.receiveLeads([{ name: 'Robin Story', email: 'story@example.com' }])
  await expect.poll(() => readHealthOf(client, 'Mended CRM'), { timeout: 60_000 }).toBe('failed')

  const [lead, dashboard, list, leads] = await Promise.all([1, 2, 3, 4].map(() => context.newPage()))
  if (!lead || !dashboard || !list || !leads) throw new Error('No pages')
  const logs = page
  await Promise.all([
    logs.goto(`/client-integrations?view=configure&logs=${id}`),
    lead.goto(`/leads/${leadId}`),
    dashboard.goto('/dashboard'),
    list.goto('/client-integrations?view=configure'),
    leads.goto('/leads'),
  ])
  const tellers: Teller[] = [
    [
      'API, the lead',
      async () => {
        const { delivery_counts: counts } = await client.call<LeadDetail>('GET', `/api/v1/leads/${leadId}`)
        return counts.delivered === 2 ? 'delivered' : counts.failed === 1 ? 'failed' : 'waiting'
      },
    ],
    [
      'API, the log',
      async () => {
        const path = `/api/v1/webhook-configs/${id}/delivery-logs?limit=1`
        const [row] = (await client.call<{ data: DeliveryLog[] }>('GET', path)).data
        if (row?.delivery_state === 'delivered') return 'delivered'
        return row?.delivery_state === 'failed' ? 'failed' : 'waiting'
      },
    ],
    ['API, the health', () => readHealthOf(client, 'Mended CRM')],
    [
      'the list of leads',
      async () => {
        const badge = leads.locator('td span[title*=" delivered, "]').first()
        return readCounts((await badge.getAttribute('title')) ?? '')
      },
    ],
    ['the lead page', async () => readCounts(await readText(lead, 'main ol li'))],
    [
      'the dashboard',
      async () =>
        readCounts(
          (await dashboard.locator('li span[title*=" delivered, "]').first().getAttribute('title')) ?? '',
        ),
    ],
    [
      'the banner',
      async () =>
        readTrouble(await readText(dashboard, '[role=status]:has-text("“Mended CRM” keeps failing")')),
    ],
    [
      'the list of webhooks',
      async () => {
        const trouble = await readText(list, 'tr:has-text("Mended CRM") p.text-waiting')
        return readTrouble(trouble)
      },
    ],
    [
      'the newest row of the log',
      async () => {
        const status = logs.getByRole('dialog').locator('tbody tr').first().locator('td').nth(1)
        return readBadge((await status.textContent()) ?? '')
      },
    ],
    [
      'the health above the log',
      async () => {
        const text = await readText(logs, 'section[aria-label="Endpoint health"]')
        if (/Waiting1 delivery/.test(text)) return 'waiting'
        return /Failing/.test(text) ? 'failed' : 'delivered'
      },
    ],
  ]

  const follow = async (end: Story, mostMs: number) => {
    const { longest, how, lookMs, usualMs } = await timeDifferences(page, tellers, end)
    process.stdout.write(
      `On the way to ${end} they differed for ${longest} ms at most; a look took ${usualMs} ms, ${lookMs} ms at most.\n`,
    )
    // On a busy machine a slow read sees a state late, and each step of a screen is as slow as a read. Without the stream
    // a screen would follow a minute later.
    const slowMs = lookMs + STEPS * usualMs
    expect(longest - slowMs, `how long they differed on the way to ${end}: ${how}`).toBeLessThanOrEqual(
      mostMs,
    )
  }

  await test.step('one webhook has the lead, one delivery has failed for good, one waits', () =>
    follow('failed', 60_000))
  await test.step('the banner names the endpoint, and the rate counts deliveries', async () => {
    await expect(
      dashboard.getByRole('status').filter({ hasText: '“Mended CRM” keeps failing' }),
    ).toContainText('500')
    await expect(list.getByRole('row').filter({ hasText: 'Mended CRM' })).toContainText('Failing since')
    await expect(logs.getByRole('region', { name: 'Endpoint health' })).toContainText(
      '0 of 1 delivered, 3 attempts each',
    )
  })
  await test.step('an attempt with a later attempt says so, and Escape closes it', async () => {
    await logs
      .getByRole('button', { name: /^Robin Story/ })
      .last()
      .click()
    const dialog = logs.getByRole('dialog')
    await expect(dialog.getByText('Tried again since', { exact: true })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Resend' })).toHaveAttribute('aria-disabled', 'true')
    await logs.keyboard.press('Escape')
    await expect(dialog.getByRole('table')).toBeVisible()
  })
  await test.step('after the repair the delivery is resent: all screens show it as waiting, then as delivered, at the same time', async () => {
    // The request waits for its answer until every screen shows the intermediate state too.
    const { promise: isShown, resolve: answer } = Promise.withResolvers<void>()
    broken.answerWith({ status: 200, after: isShown })
    await client.call('POST', `/api/v1/webhook-configs/${id}/resend-failed`, {
      since: new Date(Date.now() - 3_600_000).toISOString(),
    })
    await follow('waiting', MOST_APART_MS)
    answer()
    await follow('delivered', MOST_APART_MS)
    await expect(logs.getByRole('region', { name: 'Endpoint health' })).toContainText('1 of 1 delivered')
  })
  await Promise.all([lead, dashboard, list, leads].map((one) => one.close()))
  for (const receiver of [good, broken, slow]) await receiver.close()
})
