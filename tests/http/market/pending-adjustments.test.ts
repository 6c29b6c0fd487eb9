import { sql } from 'kysely'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { countWaiting } from '#tests/support/given/lock-waits.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

let app: TestApp
let client: Person
let second: Person
beforeAll(async () => {
  app = await startApp()
  second = await app.newClient()
})
afterAll(() => app.close())
beforeEach(async () => {
  await setRole(second, 'admin')
  client = await app.newClient()
})

const ANY_ID = '00000000-0000-4000-8000-000000000000'
const setRole = async (
  person: Person,
  role: 'admin' | 'client',
  admin_role: 'owner' | 'support' = 'owner',
) => {
  await app.context.db
    .updateTable('profiles')
    .set({ role, admin_role })
    .where('user_id', '=', person.id)
    .execute()
}
const adjust = (
  amount: string,
  { of = client, by = app.admin, key }: { of?: Person; by?: Person; key?: string } = {},
) =>
  app.call('POST', `/api/v1/admin/clients/${of.id}/adjust`, {
    token: by.token,
    body: { amount, note: 'Paid by cheque 7' },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const decide = (id: string, how: 'confirm' | 'decline', by: Person, body: object = { note: 'Cheque seen' }) =>
  app.call('POST', `/api/v1/admin/pending-adjustments/${id}/${how}`, { token: by.token, body })
const list = async (status: string, by = app.admin) =>
  (await app.call('GET', `/api/v1/admin/pending-adjustments?status=${status}`, { token: by.token })).json.data
/** Moves the client's entries into the past. */
const age = (who: Person, hours: number) =>
  app.context.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      update balance_ledger set created_at = created_at - make_interval(hours => ${hours})
      where client_user_id = ${who.id}`.execute(trx)
  })
const read = async (path: string, who = client) => (await app.call('GET', path, { token: who.token })).json
const balanceOf = async (who = client) => (await read('/api/v1/me', who)) as unknown as { balance: string }

describe('an adjustment', () => {
  test('moves $500.00 either way at once, and $500.01 only after another administrator confirms it', async () => {
    const other = await app.newClient()
    expect((await adjust('500.00', { of: other })).status).toBe(201)
    await age(other, 25)
    expect((await adjust('-500.00', { of: other })).status).toBe(201)
    const asked = await adjust('500.01')

    expect(asked.status).toBe(202)
    expect(asked.json).toMatchObject({ status: 'pending', amount: '500.01', confirmable: 'no' })
    expect(await balanceOf()).toMatchObject({ balance: '0.00' })
    expect((await read('/api/v1/ledger')).data).toEqual([])
    expect((await decide(asked.json.id, 'confirm', app.admin)).json).toMatchObject({
      code: 'conflict',
      detail: 'You asked for this adjustment: another administrator confirms it.',
    })
    expect((await list('pending', second))[0]).toMatchObject({ id: asked.json.id, confirmable: 'yes' })

    expect((await decide(asked.json.id, 'confirm', second)).json).toMatchObject({
      status: 'confirmed',
      confirmable: null,
      decided_by: { user_id: second.id },
    })
    expect(await balanceOf()).toMatchObject({ balance: '500.01' })
    expect((await decide(asked.json.id, 'confirm', second)).status).toBe(409)
    expect((await decide(asked.json.id, 'decline', second)).status).toBe(409)
    expect((await read('/api/v1/ledger')).data[0]).toMatchObject({
      entry_type: 'manual_credit',
      amount: '500.01',
      note: 'Paid by cheque 7',
    })
    expect((await readAudit(app, 'balance_adjusted', client.id))[0]).toMatchObject({
      actor_id: second.id,
      details: { pending_adjustment_id: asked.json.id, confirmed_by: 'another administrator' },
    })
  })

  test('waits once those of one administrator for one client pass the limit in 24 hours, either way', async () => {
    expect((await adjust('300')).status).toBe(201)
    expect((await adjust('-200')).status).toBe(201)
    expect((await adjust('0.01')).status).toBe(202)
    expect((await adjust('0.01', { by: second })).status).toBe(201)
    expect((await adjust('500', { of: await app.newClient() })).status).toBe(201)
    await age(client, 23)
    expect((await adjust('0.01')).status).toBe(202)
    await age(client, 2)
    expect((await adjust('500')).status).toBe(201)
  })

  test('counts nothing that a second administrator confirmed, and each of many at once', async () => {
    const { json } = await adjust('600')
    await decide(json.id, 'confirm', second)
    const many = await Promise.all([1, 2, 3, 4, 5, 6].map(() => adjust('100')))
    const statuses = many.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 202])
  })

  test('of the administrator’s own account waits, however small, and neither owner nor asker confirms it', async () => {
    const own = await adjust('0.01', { of: second, by: second })
    expect(own.status).toBe(202)
    expect((await decide(own.json.id, 'confirm', second)).json.detail).toBe(
      'This is your own account: another administrator confirms its adjustments.',
    )
    const forSecond = await adjust('600', { of: second })
    expect((await decide(forSecond.json.id, 'confirm', second)).status).toBe(409)
    expect((await decide(forSecond.json.id, 'confirm', app.admin)).status).toBe(409)
    expect((await decide(own.json.id, 'confirm', app.admin)).json).toMatchObject({ status: 'confirmed' })
  })

  test('that is pending is told to the other administrators, and its client sees nothing of it', async () => {
    const { json } = await adjust('600')
    const mails = await app.context.db
      .selectFrom('mails')
      .select(['recipient_user_id', 'template', 'data'])
      .where('notice_key', '=', json.id)
      .execute()
    expect(mails).toMatchObject([
      { recipient_user_id: second.id, template: 'adjustment_waits', data: { amount: '600.00' } },
    ])
    for (const path of ['/api/v1/me/audit', '/api/v1/ledger', '/api/v1/balance', '/api/v1/payments'])
      expect(JSON.stringify(await read(path)), path).not.toContain('600.00')
    await decide(json.id, 'decline', second)
    expect(JSON.stringify(await read('/api/v1/me/audit'))).not.toContain('adjustment')
    expect((await readAudit(app, 'adjustment_declined'))[0]).toMatchObject({
      details: { pending_adjustment_id: json.id, client_user_id: client.id, note: 'Cheque seen' },
    })
  })

  test('that is repeated under its key is asked for once', async () => {
    const [one, two] = [await adjust('700', { key: 'k-700' }), await adjust('700', { key: 'k-700' })]
    expect([one.status, two.status, two.json.id]).toEqual([202, 202, one.json.id])
  })

  test('that would overdraw the balance is refused when it is confirmed, and stays pending', async () => {
    const { json } = await adjust('-600')
    const refused = await decide(json.id, 'confirm', second)
    expect(refused.json).toMatchObject({
      code: 'conflict',
      detail: 'The balance holds less than this amount.',
    })
    expect((await list('pending'))[0]).toMatchObject({ id: json.id })
    expect(await balanceOf()).toMatchObject({ balance: '0.00' })
  })

  test('that waited for seven days is expired', async () => {
    const { json } = await adjust('600')
    await sql`update pending_adjustments set expires_at = now() where id = ${json.id}`.execute(app.context.db)
    expect((await decide(json.id, 'confirm', second)).json.detail).toBe('This adjustment is expired already.')
    expect((await decide(json.id, 'decline', second)).status).toBe(409)
    expect((await list('expired'))[0]).toMatchObject({ id: json.id, status: 'expired', confirmable: null })
    expect(await balanceOf()).toMatchObject({ balance: '0.00' })
  })

  test('that two confirm at once moves once, also if one of them is killed half way', async () => {
    const { json } = await adjust('600')
    const { db } = app.context
    const confirms = await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('profiles')
        .select('user_id')
        .where('user_id', '=', client.id)
        .forUpdate()
        .execute()
      const killed = decide(json.id, 'confirm', second)
      await waitUntil(async () => (await countWaiting(db)) === 1, { what: 'the first at the balance' })
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
      expect((await killed).status).toBeGreaterThanOrEqual(500)
      const both = [decide(json.id, 'confirm', second), decide(json.id, 'confirm', second)]
      await waitUntil(async () => (await countWaiting(db)) === 2, { what: 'both waiting' })
      return both
    })
    const statuses = (await Promise.all(confirms)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await balanceOf()).toMatchObject({ balance: '600.00' })
  })

  test('needs a note to be decided, and an id that exists', async () => {
    const { json } = await adjust('600')
    for (const body of [{}, { note: ' ' }, { note: 7 }, { note: 'x'.repeat(501) }])
      for (const how of ['confirm', 'decline'] as const)
        expect((await decide(json.id, how, second, body)).json.errors).toMatchObject([{ path: 'note' }])
    expect((await decide(ANY_ID, 'confirm', second)).status).toBe(404)
    expect((await decide(client.id, 'decline', second)).status).toBe(404)
    expect((await decide(json.id, 'confirm', client)).status).toBe(403)
    expect((await adjust('600', { by: client })).status).toBe(403)
  })
})

describe('the only administrator', () => {
  beforeEach(() => setRole(second, 'client'))
  const session = () => String(decodeJwt(app.admin.token)['session_id'])
  const proveFactor = async (minutesAgo: number) => {
    const timestamp = Math.floor(Date.now() / 1000) - minutesAgo * 60
    await app.context.db
      .updateTable('auth.sessions')
      .set({ aal: 'aal2', amr: JSON.stringify([{ method: 'totp', timestamp }]) })
      .where('id', '=', session())
      .execute()
  }

  test('confirms with a second factor proven in the last 15 minutes, and the audit log says so', async () => {
    const { json } = await adjust('600')
    expect(json).toMatchObject({ confirmable: 'with_factor' })
    expect((await decide(json.id, 'confirm', app.admin)).json).toMatchObject({ code: 'mfa_required' })
    await proveFactor(16)
    expect((await decide(json.id, 'confirm', app.admin)).json).toMatchObject({ code: 'mfa_required' })
    expect(await balanceOf()).toMatchObject({ balance: '0.00' })
    await proveFactor(14)
    expect((await decide(json.id, 'confirm', app.admin)).json).toMatchObject({ status: 'confirmed' })
    expect(await balanceOf()).toMatchObject({ balance: '600.00' })
    expect((await readAudit(app, 'balance_adjusted', client.id))[0]).toMatchObject({
      details: { confirmed_by: 'the only administrator, with the second factor' },
    })
  })

  test('is also the only one beside one who is banned, and beside an erased one', async () => {
    await setRole(second, 'admin')
    const set = (column: 'banned_until' | 'deleted_at', at: Date | null) =>
      app.context.db
        .updateTable('auth.users')
        .set({ [column]: at })
        .where('id', '=', second.id)
        .execute()
    for (const column of ['banned_until', 'deleted_at'] as const) {
      await set(column, new Date(Date.now() + 60_000))
      expect((await adjust('600')).json, column).toMatchObject({ confirmable: 'with_factor' })
      await set(column, null)
    }
    expect((await adjust('600')).json).toMatchObject({ confirmable: 'no' })
  })

  test('is also the only one beside administrators who may not change money', async () => {
    await setRole(second, 'admin', 'support')
    const { json } = await adjust('600')
    expect(json).toMatchObject({ confirmable: 'with_factor' })
    expect((await decide(json.id, 'confirm', second)).status).toBe(403)
    expect((await list('pending', second))[0]).toMatchObject({ id: json.id, confirmable: 'no' })
  })

  test('cannot adjust the own account', async () => {
    await setRole(second, 'admin')
    await setRole(app.admin, 'client')
    expect((await adjust('1', { of: second, by: second })).json.detail).toBe(
      'Only another administrator can adjust your account, and there is none.',
    )
    await setRole(app.admin, 'admin')
  })
})
