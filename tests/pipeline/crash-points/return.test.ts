// A crash during the approval of a return: the client has either the credit or the lead.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { insertReturn } from '#core/data/market/settle-return.ts'
import type { LabServer } from '#scripts/lab/start-product.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'
import { assignLead, givenLead } from '#tests/support/given/pipeline.ts'

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

test('an approved return has no effect if the API dies before the commit, and its full effect once if the API dies after it', async (context) => {
  const { pipeline, client, server } = await setUpCrashPoint(context)
  const { db } = pipeline
  const lead = await givenLead(db, client)
  await assignLead(db, lead)
  const { id: assignment } = await db
    .updateTable('lead_assignments')
    .set({ price: '25.00' })
    .where('lead_id', '=', lead)
    .returning('id')
    .executeTakeFirstOrThrow()
  const held = { lead_id: lead, assignment_id: assignment, client }
  const asked = { reason: 'language', note: null, asked_by: 'client', held_for_review: false } as const
  const id = await db.transaction().execute((trx) => insertReturn(trx, held, asked))
  /** Returns the answer's status; undefined without an answer. */
  const approve = async (at: LabServer) => {
    const token = await askAccounts(at, 'token?grant_type=password')
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
    const path = `${at.url}/api/v1/admin/returns/${id}/approve`
    return await fetch(path, { method: 'POST', headers, body: '{}' }).then(
      ({ status }) => status,
      () => undefined,
    )
  }
  const read = async () => {
    const { rows } = await sql`
      select r.status as return, a.state as assignment, l.status as lead, p.balance,
        (select count(*)::int from balance_ledger where entry_type = 'lead_return') as credits,
        (select count(*)::int from auth.audit_log where action = 'return_approved') as audited,
        (select count(*)::int from events where type = 'lead.returned') as told
      from lead_returns r join lead_assignments a on a.id = r.assignment_id join leads l on l.id = r.lead_id
      join profiles p on p.user_id = r.client_user_id`.execute(db)
    return rows
  }

  const doomed = await server({ FAILPOINTS: 'before-return=exit' })
  await askAccounts(doomed, 'signup')
  await sql`update profiles set role = 'admin' where email = ${ADMIN.email}`.execute(db)
  expect(await approve(doomed)).toBeUndefined()
  await doomed.ended()
  const nothing = { balance: '0.00', credits: 0, audited: 0, told: 0 }
  expect(await read()).toEqual([{ return: 'pending', assignment: 'active', lead: 'assigned', ...nothing }])

  const second = await server({ FAILPOINTS: 'after-return=exit' })
  expect(await approve(second)).toBeUndefined()
  await second.restart()
  const once = { balance: '25.00', credits: 1, audited: 1, told: 1 }
  const settled = [{ return: 'approved', assignment: 'returned', lead: 'returned', ...once }]
  expect(await read()).toEqual(settled)
  expect(await approve(second)).toBe(409)
  expect(await read()).toEqual(settled)
})
