import { findFaults } from '#scripts/look/find-faults.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'

interface OrderAnswer {
  data: {
    id: string
    version: number
    daily_cap: number
    when_undelivered: string
    name: string
    schedule: unknown
  }[]
}

test('a client creates an order, pauses it, meets a change from another tab, and deletes it', async ({
  page,
  client,
}) => {
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const orders = async () => (await client.call<OrderAnswer>('GET', '/api/v1/orders')).data

  await test.step('there are no orders at first', async () => {
    await runSql(`update client_accounts set status = 'active' where user_id = $1`, [client.id])
    await page.goto('/orders')
    await expect(main.getByText('No orders yet', { exact: true })).toBeVisible()
    await main.getByRole('button', { name: 'Create your first order' }).click()
    await expect(dialog.getByRole('heading', { name: 'New order' })).toBeVisible()
  })

  await test.step('errors show at their fields, and nothing is sent', async () => {
    await dialog.getByRole('textbox', { name: 'Leads a day' }).fill('0')
    await dialog.getByRole('checkbox', { name: 'All states' }).uncheck()
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(dialog.getByRole('alert')).toHaveText([
      'Name is required',
      'Must be at least 1',
      'Choose at least one state, or all',
    ])
    await expect(dialog.getByLabel('Name')).toBeFocused()
  })

  await test.step('fifty states take three presses, and a list of codes one', async () => {
    await dialog.getByRole('button', { name: 'Select all' }).click()
    await expect(dialog.getByText('56 of 56 selected')).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'All of Territories' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'District of Columbia' }).uncheck()
    await expect(dialog.getByText('50 of 56 selected')).toBeVisible()
    await dialog.getByRole('button', { name: 'Clear' }).click()
    await dialog.getByRole('searchbox', { name: 'Search states' }).fill('FL, OH, ga')
    await dialog.getByRole('searchbox', { name: 'Search states' }).press('Enter')
    await expect(dialog.getByText('3 of 56 selected')).toBeVisible()
    await dialog.getByRole('button', { name: 'Clear' }).click()
  })

  await test.step('an error in a closed group opens it, and takes the focus if no other field is faulty', async () => {
    await dialog.getByLabel('Name').fill('Texas seniors')
    await dialog.getByRole('textbox', { name: 'Leads a day' }).fill('12')
    await dialog.getByRole('searchbox', { name: 'Search states' }).fill('tex')
    await dialog.getByRole('checkbox', { name: 'Texas' }).check()
    const group = dialog.getByRole('button', { name: 'Caps and budgets' })
    await expect(group).toHaveAccessibleDescription('No other cap · no budget')
    await group.press('Enter')
    await dialog.getByLabel('A week', { exact: true }).fill('0')
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(dialog.getByLabel('A week', { exact: true })).toBeFocused()
    await expect(dialog.getByRole('alert')).toHaveText('Must be at least 1')
    await dialog.getByLabel('A week', { exact: true }).fill('')
    await group.press('Space')
    await expect(dialog.getByLabel('A week', { exact: true })).toHaveCount(0)
    // The server refuses what an older page would still send.
    await page.route('**/api/v1/orders', (route) => {
      const body = route.request().postDataJSON() as Record<string, unknown>
      return route.continue({ postData: JSON.stringify({ ...body, age_max: 300 }) })
    })
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(dialog.getByLabel('Oldest age')).toBeFocused()
    await expect(dialog.getByRole('alert')).toHaveText('Must be from 0 to 120')
    await page.unroute('**/api/v1/orders')
    await dialog.getByRole('button', { name: 'Age of the person' }).click()
  })

  await test.step('states, hours and caps are set by keyboard and pointer', async () => {
    await expect(dialog.getByText(/^1 of \d+ selected$/)).toBeVisible()
    await expect(dialog.getByText('$25.00 a lead')).toBeVisible()
    await expect(dialog.getByText('12 a day at $25: up to $1,500 a week')).toBeVisible()
    await expect(dialog.getByText(/^Mon–Fri 09:00–18:00, /)).toBeVisible()
    await dialog.getByRole('button', { name: 'Hours', exact: true }).click()
    await dialog.getByLabel('Monday until').fill('02:00')
    await dialog.getByRole('button', { name: 'Remove Friday hours' }).press('Enter')
    await dialog.getByRole('button', { name: 'Add hours on Tuesday' }).press('Enter')
    await dialog.getByRole('button', { name: 'Failed deliveries' }).click()
    await dialog.getByRole('radio', { name: 'Pass it on' }).check()
    await dialog.getByRole('button', { name: 'Maximum age of a lead' }).click()
    const age = dialog.getByRole('combobox', { name: 'Maximum age of a lead' })
    await expect(age).toHaveText('As long as we hold them')
    await age.click()
    await page.getByRole('option', { name: 'Another number of minutes' }).click()
    await dialog.getByLabel('Minutes', { exact: true }).fill('0')
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(dialog.getByText('Must be at least 1 minute')).toBeVisible()
    await dialog.getByLabel('Minutes', { exact: true }).fill('20')
    await expect(dialog.getByText(/\d+ leads? matched last week/)).toBeVisible()
    await expectSound(page, 'order dialog')
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(toast(page, 'Order created')).toBeVisible()
    await expect(main.getByText('Paused by you')).toBeVisible()
    await expect(main.getByText('Up to 20 minutes old')).toBeVisible()
    expect((await orders())[0]).toMatchObject({
      name: 'Texas seniors',
      daily_cap: 12,
      when_undelivered: 'reoffer',
      max_lead_age_minutes: 20,
      states: ['TX'],
      schedule: {
        mon: [['09:00', '02:00']],
        tue: [
          ['09:00', '18:00'],
          ['19:00', '21:00'],
        ],
        wed: [['09:00', '18:00']],
        thu: [['09:00', '18:00']],
      },
    })
    await expectSound(page, 'orders')
  })

  await test.step('the order is switched off and on', async () => {
    const take = main.getByRole('switch', { name: 'Take leads for Texas seniors' })
    await take.click()
    await expect(toast(page, '“Texas seniors” is resumed')).toBeVisible()
    await expect(main.getByText(/Balance \$0\.00 is below|Outside its hours/)).toBeVisible()
    await take.click()
    await expect(main.getByText('Paused by you')).toBeVisible()
    const [order] = await orders()
    await runSql(`update orders set paused_by = 'admin', pause_reason = 'Many returns' where id = $1`, [
      order?.id,
    ])
    await page.reload()
    await expect(main.getByText('Paused by you, and by an administrator: Many returns')).toBeVisible()
    await expect(take).not.toBeChecked()
    await take.click()
    await expect(toast(page, 'Your pause of “Texas seniors” is over; others still pause it')).toBeVisible()
    await expect(main.getByText('Paused by an administrator: Many returns')).toBeVisible()
    await expect(take).toBeChecked()
  })

  await test.step('a change from another tab shows beside the user’s own change', async () => {
    await main.getByRole('button', { name: 'Edit Texas seniors' }).click()
    await dialog.getByRole('textbox', { name: 'Leads a day' }).fill('15')
    await dialog.getByLabel('Name').fill('Texans')
    const [order] = await orders()
    const theirs = { version: order?.version, daily_cap: 20, name: 'Seniors', weekly_cap: 70 }
    await client.call('PATCH', `/api/v1/orders/${order?.id}`, theirs)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog.getByRole('alert')).toContainText('This order was changed while you edited it')
    expect((await orders())[0]).toMatchObject({ daily_cap: 20, name: 'Seniors' })
    await dialog.getByRole('radio', { name: '20' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Leads a day' })).toHaveValue('20')
    await dialog.getByRole('button', { name: 'Caps and budgets' }).click()
    await expect(dialog.getByLabel('A week', { exact: true })).toHaveValue('70')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(toast(page, 'Order saved')).toBeVisible()
    expect((await orders())[0]).toMatchObject({ daily_cap: 20, name: 'Texans', weekly_cap: 70 })
  })

  await test.step('the order is deleted after a confirmation', async () => {
    await main.getByRole('button', { name: 'Delete Texans' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Are you sure you want to delete "Texans"?')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(main.getByText('No orders yet', { exact: true })).toBeVisible()
    expect(await orders()).toEqual([])
  })
})

test('the link to funds in an order’s sentence is marked by more than its colour', async ({
  page,
  client,
}) => {
  await runSql(`update client_accounts set status = 'active' where user_id = $1`, [client.id])
  await client.call('POST', '/api/v1/orders', {
    name: 'Without funds',
    lead_type: 'final_expense',
    timezone: 'America/Chicago',
    active: true,
  })
  await page.goto('/orders')
  await expect(
    page.getByRole('main').getByRole('link', { name: 'Add funds for Without funds' }),
  ).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await findFaults(page, 'every')).toEqual([])
  }
})
