import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderSchema } from '#core/contract/market/order.ts'
import { balanceSchema, ledgerEntrySchema, type Balance } from '#core/contract/market/money/ledger.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { postEntries } from '#core/data/market/ledger.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ ADJUSTMENT_LIMIT: '10000' })
})
afterAll(() => app.close())

const adjust = (who: Person, body: unknown, headers = {}, token = app.admin.token): Promise<CallResult> =>
  app.call('POST', `/api/v1/admin/clients/${who.id}/adjust`, { token, body, headers })
const readBalance = async (who: Person): Promise<Balance> =>
  balanceSchema.parse((await app.call('GET', '/api/v1/balance', { token: who.token })).json)

describe('an adjustment', () => {
  test('changes the balance, and the client reads why', async () => {
    const client = await app.newClient()
    const credited = await adjust(client, { amount: 100.5, note: 'Welcome' })
    expect([credited.status, credited.json]).toMatchObject([
      201,
      { entry_type: 'manual_credit', amount: '100.50', balance_after: '100.50', note: 'Welcome' },
    ])
    const debited = await adjust(client, { amount: '-0.5', note: 'Rounding' })
    expect(debited.json).toMatchObject({
      entry_type: 'manual_debit',
      amount: '-0.50',
      balance_after: '100.00',
    })
    const me = await app.call('GET', '/api/v1/me', { token: client.token })
    expect(me.json).toMatchObject({ balance: '100.00' })
    const { json } = await app.call('GET', '/api/v1/ledger', { token: client.token })
    expect(json.data.map((entry) => ledgerEntrySchema.parse(entry).amount)).toEqual(['-0.50', '100.50'])
  })

  test('above the balance is a conflict, and leaves no entry', async () => {
    const client = await app.newClient()
    await adjust(client, { amount: 10, note: 'Some' })
    const { status, json } = await adjust(client, { amount: '-10.01', note: 'Too much' })
    expect([status, json.code, json.detail]).toEqual([
      409,
      'conflict',
      'The balance holds less than this amount.',
    ])
    const ledger = await app.call('GET', '/api/v1/ledger', { token: client.token })
    expect([(await readBalance(client)).balance, ledger.json.data.length]).toEqual(['10.00', 1])
  })

  test('under one key is made once, even in many simultaneous requests', async () => {
    const client = await app.newClient()
    const key = { 'Idempotency-Key': 'adjust-1' }
    const body = { amount: 20, note: 'Once' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => adjust(client, body, key)))
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1)
    expect((await readBalance(client)).balance).toBe('20.00')
    const other = await adjust(client, { ...body, amount: 21 }, key)
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
  })

  test.each([
    [{ amount: 25.001, note: 'x' }, 'amount'],
    [{ amount: '1e3', note: 'x' }, 'amount'],
    [{ amount: ' 50 ', note: 'x' }, 'amount'],
    [{ amount: 0, note: 'x' }, 'amount'],
    [{ amount: '-0.00', note: 'x' }, 'amount'],
    [{ amount: 1e9, note: 'x' }, 'amount'],
    [{ amount: null, note: 'x' }, 'amount'],
    [{ amount: 5 }, 'note'],
    [{ amount: 5, note: '   ' }, 'note'],
    [{ amount: 5, note: 'x'.repeat(501) }, 'note'],
  ])('of %j is refused at its field', async (body, path) => {
    const { status, json } = await adjust(await app.newClient(), body)
    expect([status, json.errors.map((error) => error.path)]).toEqual([422, [path]])
  })

  test('is possible only for administrators, and only for existing clients', async () => {
    const client = await app.newClient()
    const body = { amount: 5, note: 'x' }
    expect((await adjust(client, body, {}, client.token)).status).toBe(403)
    expect((await adjust(app.admin, body)).status).toBe(404)
    const nobody = { ...client, id: '01900000-0000-7000-8000-00000000dead' }
    expect((await adjust(nobody, body)).status).toBe(404)
  })
})

describe('a balance', () => {
  const buy = (who: Person, cents: number, reference: string, ago: string) =>
    app.context.db.transaction().execute(async (trx) => {
      const [entry] = await postEntries(trx, [
        {
          client_user_id: who.id,
          entry_type: 'lead_purchase',
          amount: formatCents(-cents),
          reference_type: 'assignment',
          reference_id: reference,
        },
      ])
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`update balance_ledger set created_at = now() - ${ago}::interval where id = ${entry?.id}`.execute(
        trx,
      )
    })

  test('shows the remaining amount, the spending and how long it lasts', async () => {
    const client = await app.newClient()
    expect(await readBalance(client)).toEqual({
      balance: '0.00',
      funding: 'out',
      begun: false,
      spent_today: '0.00',
      spent_this_month: '0.00',
      days_left: null,
      pending: [],
      payment_method: 'request',
      bank_details: null,
    })
    await adjust(client, { amount: 1000, note: 'Start' })
    const id = (digit: number) => `01900000-0000-7000-8000-00000000000${digit}`
    // 100 in four of the last seven days; earlier purchases count for nothing.
    await buy(client, 4000, id(1), '4 days')
    await buy(client, 6000, id(2), '0 days')
    await buy(client, 10_000, id(3), '40 days')
    const balance = await readBalance(client)
    expect(balance).toMatchObject({
      balance: '800.00',
      funding: 'available',
      begun: false,
      spent_today: '60.00',
      days_left: 32,
    })
    expect(requireCents(balance.spent_this_month)).toBeGreaterThanOrEqual(6000)
    await adjust(client, { amount: -701, note: 'Down' })
    expect(await readBalance(client)).toMatchObject({ balance: '99.00', funding: 'limited', days_left: 3 })
  })

  test('is out of funds below the cheapest lead of its orders', async () => {
    const client = await app.newClient()
    await adjust(client, { amount: '24.99', note: 'Almost' })
    expect((await readBalance(client)).funding).toBe('limited')
    const { db } = app.context
    await sql`
      insert into orders (client_user_id, name, lead_type, timezone, states)
      values (${client.id}, 'All', 'final_expense', 'America/New_York', '{CA,TX}')`.execute(db)
    expect((await readBalance(client)).funding).toBe('out')
    const price = async (state: string | null, owner: string | null, dollars: number): Promise<string> => {
      await sql`
        insert into lead_prices (lead_type, state, client_user_id, price)
        values ('final_expense', ${state}, ${owner}, ${dollars})`.execute(db)
      return (await readBalance(client)).funding
    }
    expect(await price('NY', null, 12)).toBe('out')
    expect(await price('TX', null, 20)).toBe('limited')
    // The client's own price takes precedence over the state's.
    expect(await price(null, client.id, 30)).toBe('out')
    expect(await price('CA', client.id, 24)).toBe('limited')
    await sql`update orders set price = 40 where client_user_id = ${client.id}`.execute(db)
    expect((await readBalance(client)).funding).toBe('out')
  })

  test('shows the same funds as its order, even if states have prices of their own', async () => {
    const client = await app.newClient()
    await adjust(client, { amount: '30.00', note: 'Start' })
    const { db } = app.context
    await sql`update client_accounts set status = 'active' where user_id = ${client.id}`.execute(db)
    await sql`
      insert into lead_types (code, label, price, floor_price) values ('by_state', 'By state', 20, 1)`.execute(
      db,
    )
    await sql`
      insert into lead_prices (lead_type, state, client_user_id, price)
      values ('by_state', 'CA', null, 50), ('by_state', 'TX', null, 25), ('by_state', 'TX', ${client.id}, 40)`.execute(
      db,
    )
    const asking = async (states: string, licence: string) => {
      await sql`update client_accounts set licensed_states = ${licence} where user_id = ${client.id}`.execute(
        db,
      )
      await sql`
        insert into orders (client_user_id, name, lead_type, timezone, states)
        values (${client.id}, 'By state', 'by_state', 'UTC', ${states})`.execute(db)
      const { json } = await app.call('GET', '/api/v1/orders', { token: client.token })
      const { funding } = await readBalance(client)
      await sql`delete from orders where client_user_id = ${client.id}`.execute(db)
      return [orderSchema.parse(json.data[0]).state.code, funding]
    }
    const [payable, not] = [
      ['active', 'limited'],
      ['out_of_funds', 'out'],
    ]
    expect(await asking('{CA}', '{}')).toEqual(not)
    expect(await asking('{TX}', '{}')).toEqual(not)
    expect(await asking('{CA,TX,NY}', '{}')).toEqual(payable)
    expect(await asking('{CA,TX,NY}', '{TX}')).toEqual(not)
    expect(await asking('{}', '{CA,TX}')).toEqual(not)
    expect(await asking('{}', '{}')).toEqual(payable)
  })
})

describe('a ledger', () => {
  test('is read in pages, or whole as a file without formulas', async () => {
    const client = await app.newClient()
    const notes = ['=HYPERLINK("http://example.com")', '+1', '-1+2', '@x', '\tx', 'plain, "quoted"']
    for (const note of notes.slice(0, 3)) await adjust(client, { amount: 5, note })
    await postEntries(
      app.context.db,
      notes
        .slice(3)
        .map((note) => ({ client_user_id: client.id, entry_type: 'manual_credit', amount: '5', note })),
    )
    const ids: string[] = []
    let cursor = ''
    for (let page = 0; page < 3; page += 1) {
      const { json } = await app.call('GET', `/api/v1/ledger?limit=2${cursor}`, { token: client.token })
      ids.push(...json.data.map((entry) => entry.id))
      cursor = `&cursor=${json.next_cursor}`
    }
    expect([new Set(ids).size, cursor]).toEqual([6, '&cursor=null'])
    const file = await app.call('GET', '/api/v1/ledger.csv', { token: client.token })
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"')
    const [head, ...lines] = file.text.trimEnd().split('\r\n')
    expect(head).toBe('Date,Type,Amount,Balance,Lead,Note,Entry')
    expect(lines.map((line) => line.split(',').slice(1, 4).join(','))).toEqual(
      ['30.00', '25.00', '20.00', '15.00', '10.00', '5.00'].map((after) => `manual_credit,5.00,${after}`),
    )
    for (const note of [
      `"'=HYPERLINK(""http://example.com"")"`,
      "'-1+2",
      "'@x",
      "'\tx",
      '"plain, ""quoted"""',
    ])
      expect(file.text).toContain(`,${note},`)
  })

  test('with thousands of entries is complete, and is read chunk by chunk', async () => {
    const client = await app.newClient()
    await sql`
      insert into balance_ledger (client_user_id, entry_type, amount, note)
      select ${client.id}, 'manual_credit', 1, 'Entry ' || n from generate_series(1, 2500) n`.execute(
      app.context.db,
    )
    const { text } = await app.call('GET', '/api/v1/ledger.csv', { token: client.token })
    const lines = text.trimEnd().split('\r\n')
    expect([lines.length, lines[1]?.includes(',2500.00,'), lines.at(-1)?.includes(',1.00,1.00,')]).toEqual([
      2501,
      true,
      true,
    ])
  })

  test('is visible only to its client', async () => {
    const [one, other] = [await app.newClient(), await app.newClient()]
    await adjust(one, { amount: 5, note: 'Mine' })
    for (const path of ['/api/v1/ledger', '/api/v1/ledger.csv', '/api/v1/balance']) {
      expect((await app.call('GET', path, { token: other.token })).text).not.toContain('5.00')
      expect((await app.call('GET', path)).status).toBe(401)
    }
  })

  test.each(['x', 'MA', Buffer.from('9223372036854775808').toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      const { token } = await app.newClient()
      const { status, json } = await app.call('GET', `/api/v1/ledger?cursor=${cursor}`, { token })
      expect([status, json.errors[0]?.path]).toEqual([422, 'cursor'])
    },
  )
})
