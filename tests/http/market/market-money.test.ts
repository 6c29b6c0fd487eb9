import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { balancesSchema, movementSchema, revenueSchema } from '#core/contract/market/money/market-money.ts'
import { marketplaceSettingsSchema } from '#core/contract/market/money/marketplace-settings.ts'
import { paymentReference } from '#core/domain/market/payments/payment-reference.ts'
import { paymentSchema } from '#core/contract/market/money/payment.ts'
import { statementSchema } from '#core/contract/market/money/statement.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { givePricedLead } from './give-priced-lead.ts'
import { readAudit } from './read-audit.ts'

let app: TestApp
let client: Person
let other: Person
beforeAll(async () => {
  app = await startApp()
  other = await app.newClient()
})
afterAll(() => app.close())
beforeEach(async () => {
  client = await app.newClient()
})

const get = (path: string, who: Person = app.admin) =>
  app.call('GET', `/api/v1/${path}`, { token: who.token })
const post = (path: string, body: unknown, who: Person = app.admin) =>
  app.call('POST', `/api/v1/${path}`, { token: who.token, body })

/** Writes an entry of some days ago, as the market does. */
async function giveEntry(
  who: Person,
  entry: { entry_type: string; amount: string; note?: string; lead?: string; daysAgo?: number },
): Promise<void> {
  const { entry_type, amount, note = null, lead = null, daysAgo = 0 } = entry
  await sql`
    insert into balance_ledger (client_user_id, entry_type, amount, note, reference_type, reference_id, created_at)
    values (${who.id}, ${entry_type}, ${amount}, ${note}, case when ${lead}::text is not null then 'assignment' end,
      (select id::text from lead_assignments where lead_id = ${lead}::uuid), now() - make_interval(days => ${daysAgo}))`.execute(
    app.context.db,
  )
}
const receive = async (who: Person, amount: number) => {
  const { json } = await post('payments', { amount }, who)
  return paymentSchema.parse((await post(`admin/payments/${json.id}/receive`, {})).json)
}
const today = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })

describe('the ledger of all clients', () => {
  test('is filtered by client, kind and days, and comes in pages', async () => {
    for (const note of ['one', 'two', 'three'])
      await post(`admin/clients/${client.id}/adjust`, { amount: '10', note })
    await post(`admin/clients/${other.id}/adjust`, { amount: '10', note: 'theirs' })
    const first = await get(`admin/money/ledger?client=${client.id}&limit=2`)
    const rest = await get(`admin/money/ledger?client=${client.id}&limit=2&cursor=${first.json.next_cursor}`)
    const notes = [...first.json.data, ...rest.json.data].map((row) => movementSchema.parse(row).note)
    expect([notes, rest.json.next_cursor]).toEqual([['three', 'two', 'one'], null])

    const all = await get(`admin/money/ledger?from=${today()}&to=${today()}&type=manual_credit`)
    expect(all.json.data.map((row) => row.id)).toEqual(
      expect.arrayContaining(first.json.data.map((row) => row.id)),
    )
    expect((await get('admin/money/ledger?to=2020-01-01')).json.data).toEqual([])
    expect((await get(`admin/money/ledger?client=${client.id}&type=top_up`)).json.data).toEqual([])
  })

  test('refuses filters and cursors that mean nothing', async () => {
    for (const [query, path] of [
      ['client=me', 'client'],
      ['type=gift', 'type'],
      ['from=yesterday', 'from'],
      ['from=2026-11-02&to=2026-11-01', 'to'],
      ['cursor=x', 'cursor'],
    ] as const)
      expect((await get(`admin/money/ledger?${query}`)).json.errors, query).toMatchObject([{ path }])
  })

  test('is a CSV file whose texts no spreadsheet runs', async () => {
    await post(`admin/clients/${client.id}/adjust`, { amount: '10', note: '=1+1' })
    const { text, headers } = await get(`admin/money/ledger.csv?client=${client.id}`)
    const [heading, row] = text.split('\r\n')
    expect(heading).toBe('Date,Client,Client id,Type,Amount,Balance,Lead,Note,Entry')
    expect(row).toContain(`,${client.id},manual_credit,10.00,10.00,,'=1+1,`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"')
  })
})

test('balances are aged by the money that came last, and debts are owed by clients', async () => {
  const aged = await app.newClient()
  const before = balancesSchema.parse((await get('admin/money/balances')).json)
  await giveEntry(aged, { entry_type: 'top_up', amount: '100', daysAgo: 120 })
  await giveEntry(aged, { entry_type: 'top_up', amount: '50', daysAgo: 75 })
  await giveEntry(aged, { entry_type: 'top_up', amount: '40', daysAgo: 45 })
  await giveEntry(aged, { entry_type: 'lead_purchase', amount: '-60', daysAgo: 10 })
  await giveEntry(aged, { entry_type: 'top_up', amount: '30' })
  await giveEntry(client, { entry_type: 'chargeback', amount: '-25' })
  const { owed, owing, debtors, data } = balancesSchema.parse((await get('admin/money/balances')).json)
  expect(data.find((row) => row.client.user_id === aged.id)).toMatchObject({
    balance: '160.00',
    days_30: '30.00',
    days_60: '40.00',
    days_90: '50.00',
    older: '40.00',
  })
  expect(data.at(-1)).toMatchObject({ client: { user_id: client.id }, balance: '-25.00', older: '0.00' })
  expect(Number(owed.balance) - Number(before.owed.balance)).toBe(160)
  expect([Number(owing) - Number(before.owing), debtors - before.debtors]).toEqual([25, 1])
  const { text } = await get('admin/money/balances.csv')
  expect(text).toContain(`,${aged.id},160.00,30.00,40.00,50.00,40.00`)
})

test('revenue is sales less credits, the same in every grouping', async () => {
  const [sold, undone] = [await givePricedLead(app, client), await givePricedLead(app, client)]
  await giveEntry(client, { entry_type: 'top_up', amount: '50' })
  for (const lead of [sold, undone])
    await giveEntry(client, { entry_type: 'lead_purchase', amount: '-25', lead })
  const asked = await post(`leads/${undone}/return`, { reason: 'disconnected_number' }, client)
  expect(asked.status).toBe(201)
  if (asked.json.status === 'pending') await post(`admin/returns/${asked.json.id}/approve`, {})

  for (const by of ['day', 'lead_type', 'state', 'client', 'source']) {
    const { json } = await get(`admin/money/revenue?by=${by}&from=${today()}&to=${today()}`)
    const { totals, data } = revenueSchema.parse(json)
    expect([by, totals]).toEqual([
      by,
      { sold: 2, sales: '50.00', returned: 1, credits: '25.00', revenue: '25.00' },
    ])
    expect(data.filter(({ label }) => label === '')).toEqual([])
    if (by !== 'source') expect(data).toHaveLength(1)
  }
  const file = await get(`admin/money/revenue.csv?by=state&from=${today()}&to=${today()}`)
  expect(file.text.split('\r\n')).toEqual([
    'State,Id,Sold,Sales,Returned,Credits,Revenue',
    'CA,CA,2,50.00,1,25.00,25.00',
    '',
  ])
  for (const query of ['from=2026-01-02&to=2026-01-01', 'from=2025-01-01&to=2026-11-01', 'from=2026-01-01'])
    expect((await get(`admin/money/revenue?${query}`)).json.errors, query).toMatchObject([{ path: 'to' }])
})

describe('a statement', () => {
  test('adds up: opening balance, what moved it by kind, closing balance', async () => {
    await giveEntry(client, { entry_type: 'top_up', amount: '100', daysAgo: 70 })
    await giveEntry(client, { entry_type: 'lead_purchase', amount: '-25', daysAgo: 40 })
    const payment = await receive(client, 50)
    const now = statementSchema.parse((await get('statement', client)).json)
    expect(now).toMatchObject({
      opening: '75.00',
      closing: '125.00',
      is_complete: false,
      sums: [{ entry_type: 'top_up', count: 1, amount: '50.00' }],
      receipts: [{ payment_id: payment.id, receipt_number: payment.receipt_number, method: 'request' }],
    })
    const first = now.first_month ?? ''
    const then = statementSchema.parse((await get(`statement?month=${first}`, client)).json)
    expect(then).toMatchObject({ opening: '0.00', is_complete: true })
    expect((await get(`admin/clients/${client.id}/statement?month=${first}`)).json).toEqual(then)

    const { text } = await get('statement.csv', client)
    const rows = text.trim().split('\r\n')
    expect(rows.map((row) => row.split(',').slice(1, 4).join(','))).toEqual([
      'Type,Amount,Balance',
      'opening_balance,,75.00',
      'top_up,50.00,125.00',
      'closing_balance,,125.00',
    ])
  })

  test('of a complete month has a number without gaps, and keeps it with its zone and seller', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => app.newClient()))
    for (const who of clients) await giveEntry(who, { entry_type: 'top_up', amount: '10', daysAgo: 70 })
    const [one = client] = clients
    const now = statementSchema.parse((await get('statement', one)).json)
    expect([now.number, now.issued_at]).toEqual([null, null])
    const path = `statement?month=${now.first_month}`
    const before = statementSchema.parse((await get(`statement?month=2020-01`, one)).json)
    expect(before.number).toBeNull()
    const read = await Promise.all([...clients, ...clients, ...clients].map((who) => get(path, who)))
    const numbers = read.map(({ json }) => statementSchema.parse(json).number ?? 0)
    expect(numbers.slice(3)).toEqual([...numbers.slice(0, 3), ...numbers.slice(0, 3)])
    const { rows } = await sql<{ number: number }>`select number from statements order by number`.execute(
      app.context.db,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => index + 1))
    expect(new Set(numbers).size).toBe(3)

    const [issued] = read.map(({ json }) => statementSchema.parse(json))
    await sql`update client_accounts set timezone = 'Pacific/Honolulu' where user_id = ${one.id}`.execute(
      app.context.db,
    )
    await app.call('PATCH', '/api/v1/admin/settings', {
      token: app.admin.token,
      body: { seller_name: 'Another Seller Inc.', note: 'Renamed' },
    })
    expect(statementSchema.parse((await get(path, one)).json)).toEqual(issued)
    const { text } = await get(path.replace('statement?', 'statement.csv?'), one)
    const name = `Statement No. ${String(issued?.number).padStart(6, '0')}`
    expect(text.split('\r\n')[1]).toContain(`opening_balance,,0.00,,${name},`)
  })

  test('is the client’s own, or read by an administrator', async () => {
    expect((await get(`admin/clients/${client.id}/statement`, other)).status).toBe(403)
    expect((await get(`admin/clients/${client.id}/statement.csv`, other)).status).toBe(403)
    expect((await get(`admin/clients/${app.admin.id}/statement`)).status).toBe(404)
    expect((await get('statement')).status).toBe(404)
    expect((await get('statement?month=2026-13', client)).json.errors).toMatchObject([{ path: 'month' }])
    expect((await get('admin/money/ledger', other)).status).toBe(403)
  })
})

describe('the settings', () => {
  const change = (body: unknown, who: Person = app.admin) =>
    app.call('PATCH', '/api/v1/admin/settings', { token: who.token, body })

  test('tell a client who requests funds where to pay, and are printed on the receipt', async () => {
    const wish = {
      seller_name: 'Example Leads Inc.',
      seller_address: '1 Example Street',
      bank_details: 'Example Bank\nRouting 000000000',
    }
    expect(
      marketplaceSettingsSchema.parse((await change({ ...wish, note: 'First set' })).json),
    ).toMatchObject({ ...wish, changed_by: app.admin.id })
    expect((await get('balance', client)).json).toMatchObject({ bank_details: wish.bank_details })
    const { json } = await post('payments', { amount: 75 }, client)
    const mails = await app.context.db
      .selectFrom('mails')
      .select(['recipient_user_id', 'data'])
      .where('template', '=', 'payment_requested')
      .where('notice_key', '=', json.id)
      .execute()
    expect(mails).toMatchObject([
      {
        recipient_user_id: client.id,
        data: { amount: '75.00', reference: paymentReference(json.id), bank_details: wish.bank_details },
      },
    ])
    const received = await post(`admin/payments/${json.id}/receive`, {})
    expect(received.json).toMatchObject({ seller: { name: wish.seller_name, address: wish.seller_address } })
    const [audit] = await readAudit(app, 'settings_changed')
    expect(audit).toMatchObject({
      user_id: null,
      details: { before: { bank_details: '' }, after: { seller_name: wish.seller_name }, note: 'First set' },
    })
  })

  test('hold rules of selling that win over the environment, and say what is set elsewhere', async () => {
    const seen = marketplaceSettingsSchema.parse((await get('admin/settings')).json)
    expect(seen).toMatchObject({
      hold_hours: null,
      usual: { hold_hours: 24, duplicate_days: 30, resale_days: 90 },
    })
    expect(seen.floors.length).toBeGreaterThan(0)
    expect(seen.fixed.map(({ set_by }) => set_by)).toContain('LOG_RETENTION_DAYS')
    for (const [path, value] of [
      ['hold_hours', 0],
      ['hold_hours', 721],
      ['hold_hours', '24'],
      ['duplicate_days', 366],
      ['resale_days', 1.5],
    ] as const)
      expect((await change({ [path]: value, note: 'Typed' })).json.errors, path).toMatchObject([{ path }])
    const saved = await change({ hold_hours: 6, duplicate_days: 0, note: 'Fresher leads' })
    expect(saved.json).toMatchObject({ hold_hours: 6, duplicate_days: 0, resale_days: null })
    expect(app.context.market).toMatchObject({
      holdHours: 6,
      windows: { duplicateDays: 0, resaleDays: 90 },
    })
    expect((await readAudit(app, 'settings_changed'))[0]).toMatchObject({
      details: { before: { hold_hours: null }, after: { hold_hours: 6 }, note: 'Fresher leads' },
    })
    await change({ hold_hours: null, duplicate_days: null, note: 'As before' })
    expect(app.context.market).toMatchObject({ holdHours: 24, windows: { duplicateDays: 30 } })
  })

  test('need a reason, change nothing twice, and are an owner’s to change', async () => {
    for (const body of [{}, { bank_details: 'x' }, { bank_details: 'x', note: ' ' }])
      expect((await change(body)).json.errors).toMatchObject([{ path: 'note' }])
    expect((await change({ bank_details: 'x'.repeat(1001), note: 'Long' })).json.errors).toMatchObject([
      { path: 'bank_details' },
    ])
    const before = await readAudit(app, 'settings_changed')
    const { seller_name } = marketplaceSettingsSchema.parse((await get('admin/settings')).json)
    expect((await change({ seller_name, note: 'Same' })).status).toBe(200)
    expect((await change({ note: 'Nothing' })).status).toBe(200)
    expect(await readAudit(app, 'settings_changed')).toEqual(before)
    expect((await change({ seller_name: 'Mine', note: 'Mine' }, client)).status).toBe(403)
    expect((await get('admin/settings', client)).status).toBe(403)
  })
})
