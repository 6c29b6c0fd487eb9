import { findFaults } from '#scripts/look/find-faults.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { chooseAction, openConfigurations } from '#tests/support/browser/integrations-page.ts'
import { createReceiver } from '#tests/support/peers/certified-receiver.ts'

test('an endpoint is certified: what failed, why it matters, how it is mended, and a badge until it changes', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver()
  const id = await client.addWebhook({
    webhook_name: 'Certified CRM',
    endpoint_url: `${receiver.url}/leads`,
    payload_template: { id: '{{id}}', created_at: '{{created_at}}', is_test: '{{is_test}}' },
  })
  const path = `/api/v1/webhook-configs/${id}`
  const { secret } = await client.call<{ secret: string }>('GET', `${path}/secret`)
  const row = page.getByRole('row').filter({ hasText: 'Certified CRM' })
  const dialog = page.getByRole('dialog', { name: 'Certify “Certified CRM”' })
  const caseOf = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await openConfigurations(page)

  await test.step('an endpoint that is not proved gets two requests', async () => {
    receiver.answerWith(200)
    await page.getByRole('button', { name: 'Actions for Certified CRM' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Certify endpoint' }).press('Enter')
    await expect(dialog.getByText('/.well-known/leadwire-challenge')).toBeVisible()
    expect(await findFaults(page, 'every')).toEqual([])
    await dialog.getByRole('button', { name: 'Certify endpoint' }).press('Enter')
    await expect(
      dialog.getByText('The endpoint did not show that it is yours', { exact: true }),
    ).toBeVisible()
    expect(receiver.requests).toHaveLength(2)
  })
  await test.step('a failed case says why it matters, with code', async () => {
    receiver.answerWith(createReceiver(secret, { readsOnlyFirstSignature: true }))
    await dialog.getByRole('button', { name: 'Certify again' }).click()
    await expect(dialog.getByText('Grade B: one case failed')).toBeVisible()
    await expect(caseOf('Two signatures')).toContainText('Why it matters')
    await expect(dialog.getByRole('region', { name: 'Code for: Two signatures' })).toContainText("split(' ')")
    await caseOf('Two signatures').getByRole('button', { name: 'Requests' }).click()
    await expect(caseOf('Two signatures')).toContainText('401')
    expect(await findFaults(page, 'every')).toEqual([])
    await expectToFitAnySize(page, 'a certification with a failed case')
  })
  await test.step('a good receiver gets an A, which its row shows', async () => {
    receiver.answerWith(createReceiver(secret))
    await dialog.getByRole('button', { name: 'Certify again' }).click()
    await expect(dialog.getByText('Grade A: every case passed')).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Cases' }).getByText('Passed')).toHaveCount(10)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Actions for Certified CRM' })).toBeFocused()
    await expect(row.getByText('Grade A')).toBeVisible()
    expect(await findFaults(page, 'every')).toEqual([])
    await expectToFitAnySize(page, 'a certified webhook')
  })
  await test.step('a third proved run of the day is refused with a reason', async () => {
    await chooseAction(page, 'Certified CRM', 'Certify endpoint')
    await dialog.getByRole('button', { name: 'Certify again' }).click()
    await expect(dialog.getByRole('alert')).toContainText('You certified 127.0.0.1 twice within 24 hours')
    await page.keyboard.press('Escape')
  })
  await test.step('the badge goes with a new secret', async () => {
    await client.call('POST', `${path}/secret/rotate`)
    await page.reload()
    await expect(row).toBeVisible()
    await expect(row.getByText('Grade A')).toHaveCount(0)
  })
  await receiver.close()
})
