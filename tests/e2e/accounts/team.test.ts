import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readMail } from '#tests/support/browser/e2e-mails.ts'

/** Only an approved account may invite, and mails name its business. */
const approve = (id: string) =>
  runSql(
    `update client_accounts set status = 'active', business_name = 'Example Agency' where user_id = $1`,
    [id],
  )

test('an owner invites an agent, who joins by the mailed link, sees their own part, and is removed', async ({
  page,
  client,
  browser,
}) => {
  const email = newEmail()
  const dialog = page.getByRole('dialog')
  const people = page.getByRole('table', { name: 'People' })
  const row = people.getByRole('row').filter({ hasText: email })
  await approve(client.id)
  await test.step('the owner invites', async () => {
    await page.goto('/settings?tab=team')
    await expect(people.getByRole('row').filter({ hasText: client.email })).toContainText('Owner')
    await page.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByRole('textbox', { name: 'Email' }).fill('nobody')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
    await expectSound(page, 'the invitation')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(toast(page, `${email} is invited`)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email)
  })
  const { link } = await readMail(email, 'Join Example Agency')
  const context = await browser.newContext({ storageState: SIGNED_OUT })
  const agent = await context.newPage()
  await test.step('a new person signs up on the way and joins', async () => {
    await agent.goto(link)
    await expect(agent).toHaveURL(/\/join$/)
    await agent.getByRole('link', { name: 'Create an account' }).click()
    await agent.getByRole('textbox', { name: 'Email' }).fill(email)
    await agent.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await agent.getByRole('button', { name: 'Create account' }).click()
    await expect(agent).toHaveURL(/\/join$/)
    await agent.getByRole('button', { name: 'Join' }).click()
    await expect(agent).toHaveURL(/\/dashboard$/)
  })
  await test.step('an agent sees neither balance nor people nor billing', async () => {
    await expect(agent.getByText('Balance', { exact: true })).toHaveCount(0)
    await agent.goto('/settings?tab=team')
    await expect(agent.getByText('You work for Example Agency as agent.')).toBeVisible()
    await expect(agent.getByRole('tab', { name: 'Billing' })).toHaveCount(0)
    await expect(agent.getByRole('table', { name: 'People' })).toHaveCount(0)
    await expectSound(agent, 'the agent’s place')
    await agent.goto('/onboarding')
    await expect(agent.getByRole('heading', { name: 'Your role does not include this' })).toBeVisible()
  })
  await test.step('the owner makes the agent a finance person, who sees money and no leads', async () => {
    await page.reload()
    await row.getByRole('button', { name: 'Change role' }).click()
    await dialog.getByRole('radio', { name: /^Finance/ }).check()
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expect(row).toContainText('Finance')
    await expectSound(page, 'the people')
    await agent.goto('/leads')
    await expect(agent.getByRole('heading', { name: 'Your role does not include this' })).toBeVisible()
    await expect(agent.getByText('Balance', { exact: true })).toBeVisible()
  })
  await test.step('no screen asks for more than the finance role includes, or leads to what it does not', async () => {
    const refused: string[] = []
    agent.on('response', (answer) => {
      if (answer.status() === 403) refused.push(answer.url())
    })
    const main = agent.getByRole('main')
    await agent.goto('/dashboard')
    await expect(main.getByRole('heading', { name: 'Leads today' })).toBeVisible()
    await expect(main.getByRole('region', { name: 'State' })).toContainText(
      'An owner of the account does this',
    )
    await expect(main.getByRole('link', { name: /Orders|leads/i })).toHaveCount(0)
    await agent.goto('/enterprise-dashboard')
    await expect(main.getByText('No endpoints yet')).toBeVisible()
    await expect(main.getByRole('link', { name: 'Create a webhook' })).toHaveCount(0)
    await expect(main.getByText('Caps and pace')).toHaveCount(0)
    await agent.goto('/help')
    await expect(main.getByRole('navigation', { name: 'Questions' })).toBeVisible()
    await agent.goto('/settings?tab=notifications')
    await expect(main.getByText(/go to the owner of the account/)).toBeVisible()
    await expect(main.getByRole('switch')).toHaveCount(0)
    await expectSound(agent, 'the mails of a person')
    expect(refused).toEqual([])
  })
  await test.step('the removed person is signed out', async () => {
    await row.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(row).toHaveCount(0)
    await agent.goto('/dashboard')
    await expect(agent).toHaveURL(/\/auth/)
  })
  await context.close()
})

test('an owner hands the account over and becomes a manager', async ({ page, client }) => {
  await approve(client.id)
  const member = await signUpClient()
  const { call } = client
  await call('POST', '/api/v1/account/members/invitations', { email: member.email, role: 'manager' })
  const { link } = await readMail(member.email, 'Join Example Agency')
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  await member.call('POST', '/api/v1/account/members/invitations/accept', { token })
  await page.goto('/settings?tab=team')
  await page.getByRole('button', { name: 'Hand over ownership' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click()
  const people = page.getByRole('table', { name: 'People' })
  await expect(people.getByRole('row').filter({ hasText: client.email })).toContainText('Manager')
  await expect(people.getByRole('row').filter({ hasText: member.email })).toContainText('Owner')
  await expect(page.getByRole('button', { name: 'Hand over ownership' })).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Billing' })).toHaveCount(0)
  await test.step('the former owner may leave, and then reads why nothing is left to see', async () => {
    await expect(page.getByText('You work for Example Agency as manager.')).toBeVisible()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('Your open leads are shared again')
    await page.keyboard.press('Escape')
    await runSql(`update account_members set role = 'none' where user_id = $1`, [client.id])
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'See your role' }).click()
    await expect(page.getByText('You handed Example Agency over and left it.')).toBeVisible()
  })
})

test('an owner buys leads for an agent, gives a lead to the agent, and sees the figures of each person', async ({
  page,
  client,
}) => {
  await approve(client.id)
  const member = await signUpClient()
  const { call } = client
  await call('POST', '/api/v1/account/members/invitations', { email: member.email, role: 'agent' })
  const { link } = await readMail(member.email, 'Join Example Agency')
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')
  await member.call('POST', '/api/v1/account/members/invitations/accept', { token })
  const [lead = ''] = await client.receiveLeads([{ name: 'Grace Example', phone: '5095550150' }])
  const dialog = page.getByRole('dialog')
  const choose = async (label: string) => {
    await dialog.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: member.email }).click()
  }
  await test.step('an order is for one person', async () => {
    await page.goto('/orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await dialog.getByLabel('Name').fill('For the agent')
    await choose('For')
    await expectSound(page, 'the order for a person')
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(toast(page, 'Order created')).toBeVisible()
    const { data } = await member.call<{ data: { name: string }[] }>('GET', '/api/v1/orders')
    expect(data.map(({ name }) => name)).toEqual(['For the agent'])
  })
  await test.step('a lead is given to the agent, who sees it from then on', async () => {
    await expect(member.call('GET', `/api/v1/leads/${lead}`)).rejects.toThrow('404')
    await page.goto(`/leads/${lead}`)
    await expect(page.getByText('Shared by everybody')).toBeVisible()
    await page.getByRole('button', { name: 'Give to…' }).click()
    await choose('Person')
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Speaks Spanish')
    await expectSound(page, 'the dialog to give a lead')
    await dialog.getByRole('button', { name: 'Give', exact: true }).click()
    await expect(page.getByText(`With ${member.email}`)).toBeVisible()
    await member.call('GET', `/api/v1/leads/${lead}`)
    await page.reload()
    await expect(
      page.getByRole('listitem').filter({ hasText: `Given to ${member.email}: “Speaks Spanish”` }),
    ).toBeVisible()
  })
  await test.step('the enterprise dashboard shows the people beside the endpoints', async () => {
    await page.goto('/enterprise-dashboard')
    const agents = page.getByRole('table', { name: 'Performance by agent' })
    await expect(agents.getByRole('row').filter({ hasText: member.email })).toBeVisible()
    await expectSound(page, 'the figures of each person')
  })
})
