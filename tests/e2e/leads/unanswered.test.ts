import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#tests/support/browser/browser.ts'
import type { E2eClient } from '#tests/support/browser/e2e-client.ts'
import { openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

/** Finds a local port on which nothing listens. */
async function findSilentPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Creates a lead whose only webhook fails for good; returns its id. */
async function givenFailedLead(client: E2eClient, endpoint_url: string): Promise<string> {
  await client.addWebhook({ webhook_name: 'Silent CRM', endpoint_url })
  const [id = ''] = await client.receiveLeads([
    { name: 'Robin Silent', email: 'robin@example.com', state: 'TX' },
  ])
  await expect
    .poll(
      async () =>
        (await client.call<{ delivery_status: string }>('GET', `/api/v1/leads/${id}`)).delivery_status,
      { timeout: 60_000 },
    )
    .toBe('failed')
  return id
}

/** Returns the stations of a lead or an attempt, each with its state. */
const stations = (place: Locator) =>
  place
    .getByRole('listitem')
    .filter({ hasText: /^(Received|Assigned|Sent|Not sent|Delivered|Not delivered|No answer): / })

async function openLastAttempt(page: Page): Promise<Locator> {
  await openConfigurations(page)
  const logs = await openLogs(page, 'Silent CRM')
  await logs
    .getByRole('button', { name: /^Actions for Robin Silent/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Show attempt' }).click()
  await expect(logs.getByRole('button', { name: 'Back to logs' })).toBeVisible()
  return logs
}

test('an attempt without an answer shows as sent, on its own page and on its lead’s', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver(() => 'reset')
  const id = await givenFailedLead(client, receiver.url)
  const attempt = await openLastAttempt(page)
  await expect(stations(attempt)).toHaveText([
    /^Received: done/,
    /^Assigned: done/,
    /^Sent: done/,
    /^No answer: failed/,
  ])

  await page.goto(`/leads/${id}`)
  await expect(stations(page.getByRole('main'))).toHaveText([
    /^Received: done/,
    /^Assigned: done/,
    /^Sent: done/,
    /^Not delivered: failed/,
  ])
  await receiver.close()
})

test('an attempt without a connection shows as not sent, on its own page and on its lead’s', async ({
  page,
  client,
}) => {
  const id = await givenFailedLead(client, `http://127.0.0.1:${await findSilentPort()}/leads`)
  const notSent = [/^Received: done/, /^Assigned: done/, /^Not sent: failed/, /^Delivered: not yet/]
  const attempt = await openLastAttempt(page)
  await expect(stations(attempt)).toHaveText(notSent)
  await expect(attempt.getByText('Nothing was sent, so there is no response.')).toBeVisible()

  await page.goto(`/leads/${id}`)
  await expect(stations(page.getByRole('main'))).toHaveText(notSent)
})
