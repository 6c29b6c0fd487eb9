import { expect, test } from '#tests/support/browser/browser.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('a CRM posts outcomes to the address of a lead, and its page and timeline name the webhook', async ({
  page,
  client,
  baseURL,
}) => {
  const crm = await startReceiver()
  try {
    await client.addWebhook({
      webhook_name: 'Desk of Ada',
      endpoint_url: `${crm.url}/leads`,
      payload_template: { lead: '{{id}}', answer_at: '{{outcome_url}}' },
    })
    const [id = ''] = await client.receiveLeads([
      { name: 'Robin Sample', phone: '+15125550143', state: 'TX' },
    ])
    const [request] = await crm.waitForCount(1)
    const { answer_at: address } = JSON.parse(request?.body ?? '{}') as { answer_at: string }

    await page.goto(`/leads/${id}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: 'Outcomes from your CRM' })).toHaveCount(0)
    // The worker of the run knows the server by another port.
    const { pathname, search } = new URL(address)
    const answer = await fetch(`${baseURL ?? ''}${pathname}${search}`, {
      method: 'POST',
      body: new URLSearchParams({ status: 'Sold', amount: '$1,200', note: 'Whole life, starts in March' }),
    })
    expect(await answer.json()).toMatchObject({ recorded: true, disposition: 'sold' })

    const outcome = main.getByRole('listitem').filter({ hasText: 'Whole life, starts in March' })
    await expect(outcome).toContainText('Sold, $1,200.00')
    await expect(outcome).toContainText('Desk of Ada')
    await expect(main.getByRole('listitem').filter({ hasText: 'Outcome from “Desk of Ada”' })).toContainText(
      'sold',
    )
    await expect(main.getByRole('combobox', { name: 'Disposition' })).toHaveText('Sold')
  } finally {
    await crm.close()
  }
})
