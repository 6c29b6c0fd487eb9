// A crash while a manager gives a lead to an agent: the agent's webhook gets it once, and no other again.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import type { LabServer } from '#scripts/lab/start-product.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { freshState, givenOffers, givenOrder, topUp } from '#tests/support/given/market.ts'
import { givenClient, givenConfig } from '#tests/support/given/pipeline.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const OWNER = { email: 'owner@example.com', password: PASSWORD }

async function askAccounts({ url }: LabServer, path: string): Promise<string> {
  const response = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

test('a lead that is given to an agent stays as it was if the API dies before the commit, and reaches the agent once if it dies after it', async (context) => {
  const { pipeline, server, worker, crm } = await setUpCrashPoint(context)
  const { db } = pipeline
  const doomed = await server({ FAILPOINTS: 'before-give=exit' })
  await askAccounts(doomed, 'signup')
  const { rows } = await sql<{ user_id: string }>`
    select user_id from profiles where email = ${OWNER.email}`.execute(db)
  const account = rows[0]?.user_id ?? ''
  await sql`update client_accounts set status = 'active' where user_id = ${account}`.execute(db)
  await topUp(db, account, '100.00')
  const agent = await givenClient(db)
  await sql`insert into account_members (user_id, account_id, role) values (${agent}, ${account}, 'agent')`.execute(
    db,
  )
  await givenConfig(pipeline.context, account, { endpoint_url: `${crm.url}/shared` })
  const theirs = await givenConfig(pipeline.context, account, { endpoint_url: `${crm.url}/agent` })
  await sql`update client_webhook_configs set member_user_id = ${agent} where id = ${theirs.id}`.execute(db)
  const state = freshState()
  await givenOrder(db, account, { states: [state] })
  const [lead = ''] = await givenOffers(db, [{ state }])
  await assignLeads(pipeline.context.market, [lead])
  /** Returns the answer's status; undefined without an answer. */
  const give = async (at: LabServer) => {
    const token = await askAccounts(at, 'token?grant_type=password')
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const body = JSON.stringify({ member_user_id: agent })
    return await fetch(`${at.url}/api/v1/leads/${lead}/member`, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => undefined,
    )
  }
  const read = async () =>
    (
      await sql`
        select member_user_id as member,
          (select count(*)::int from events e where e.lead_id = l.id and e.type = 'lead.given') as given
        from leads l where id = ${lead}`.execute(db)
    ).rows[0]

  expect(await give(doomed)).toBeUndefined()
  await doomed.ended()
  expect(await read()).toEqual({ member: null, given: 0 })

  const second = await server({ FAILPOINTS: 'after-give=exit' })
  expect(await give(second)).toBeUndefined()
  await second.restart()
  expect(await read()).toEqual({ member: agent, given: 1 })
  // The API died before it told Redis of the event: the worker finds it.
  await worker()
  await crm.waitFor(({ path }) => path === '/agent', { timeoutMs: 60_000 })
  await crm.waitFor(({ path }) => path === '/shared', { timeoutMs: 60_000 })
  expect(await give(second)).toBe(409)
  await expect
    .poll(
      async () =>
        (await sql`select from webhook_deliveries where state <> 'delivered'`.execute(db)).rows.length +
        (
          await sql`select from events where planned_at is null and lead_id = ${lead} and type <> 'lead.offered'`.execute(
            db,
          )
        ).rows.length,
      { timeout: 30_000 },
    )
    .toBe(0)
  expect(crm.requests.map(({ path }) => path).toSorted()).toEqual(['/agent', '/shared'])
})
