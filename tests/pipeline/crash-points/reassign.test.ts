// A crash while an administrator reassigns a lead: one client has the lead and has paid for it.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import type { LabServer } from '#scripts/lab/start-product.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { freshState, givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const ADMIN = { email: 'admin@example.com', password: PASSWORD }

async function askAccounts({ url }: LabServer, path: string): Promise<string> {
  const response = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

test('a reassignment has no effect if the API dies before the commit, and its full effect once if the API dies after it', async (context) => {
  const { pipeline, server } = await setUpCrashPoint(context)
  const { db } = pipeline
  const state = freshState()
  const [holder, buyer] = [await givenBuyer(db, '100.00'), await givenBuyer(db, '100.00')]
  await givenOrder(db, holder, { states: [state], priority: 1 })
  const order = await givenOrder(db, buyer, { states: [state], priority: 9, price: '40.00' })
  const [lead = ''] = await givenOffers(db, [{ state }])
  await assignLeads(pipeline.context.market, [lead])
  /** Returns the answer's status; undefined without an answer. */
  const reassign = async (at: LabServer) => {
    const token = await askAccounts(at, 'token?grant_type=password')
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const body = JSON.stringify({ order_id: order, reason: 'Sold to the wrong client' })
    return await fetch(`${at.url}/api/v1/admin/leads/${lead}/reassign`, {
      method: 'POST',
      headers,
      body,
    }).then(
      ({ status }) => status,
      () => undefined,
    )
  }
  const read = async () => {
    const { rows } = await sql`
      select l.assigned_to as holder,
        (select balance from profiles where user_id = ${holder}) as first,
        (select balance from profiles where user_id = ${buyer}) as second,
        (select count(*)::int from auth.audit_log where action = 'lead_reassigned') as audited
      from leads l where l.id = ${lead}`.execute(db)
    expect(await findContradictions(db)).toEqual([])
    return rows[0]
  }

  const doomed = await server({ FAILPOINTS: 'before-reassign=exit' })
  await askAccounts(doomed, 'signup')
  await sql`update profiles set role = 'admin' where email = ${ADMIN.email}`.execute(db)
  expect(await reassign(doomed)).toBeUndefined()
  await doomed.ended()
  expect(await read()).toEqual({ holder, first: '75.00', second: '100.00', audited: 0 })

  const second = await server({ FAILPOINTS: 'after-reassign=exit' })
  expect(await reassign(second)).toBeUndefined()
  await second.restart()
  const moved = { holder: buyer, first: '100.00', second: '60.00', audited: 1 }
  expect(await read()).toEqual(moved)
  expect(await reassign(second)).toBe(409)
  expect(await read()).toEqual(moved)
})
