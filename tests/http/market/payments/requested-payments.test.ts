import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { balanceSchema, ledgerEntrySchema } from '#core/contract/market/money/ledger.ts'
import { adminPaymentSchema, paymentSchema } from '#core/contract/market/money/payment.ts'
import { createStoreReceipts } from '#worker/housekeeping/market/store-receipts.ts'
import { openStorage } from '../../storage/open-storage-client.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const ask = (who: Person, body: unknown, headers = {}): Promise<CallResult> =>
  app.call('POST', '/api/v1/payments', { token: who.token, body, headers })
const decide = (how: 'receive' | 'reject', id: string, body: unknown = {}, token = app.admin.token) =>
  app.call('POST', `/api/v1/admin/payments/${id}/${how}`, { token, body })
const cancel = (who: Person, id: string) =>
  app.call('POST', `/api/v1/payments/${id}/cancel`, { token: who.token })
const readBalance = async (who: Person) =>
  balanceSchema.parse((await app.call('GET', '/api/v1/balance', { token: who.token })).json)
const readLedger = async (who: Person) =>
  (await app.call('GET', '/api/v1/ledger', { token: who.token })).json.data

test('without a provider a payment waits until an administrator marks it as received', async () => {
  const client = await app.newClient()
  const { status, json } = await ask(client, { amount: 250 })
  expect([status, paymentSchema.parse(json)]).toMatchObject([
    201,
    { method: 'request', kind: 'top_up', amount: '250.00', status: 'pending', checkout_url: null },
  ])
  expect(await readBalance(client)).toMatchObject({ balance: '0.00', pending: [{ id: json.id }] })
  const waiting = await app.call('GET', '/api/v1/admin/payments?status=pending', { token: app.admin.token })
  expect(waiting.json.data.map((row) => adminPaymentSchema.parse(row))).toMatchObject([
    { id: json.id, client: { user_id: client.id, email: client.email } },
  ])
  const received = await decide('receive', json.id, { note: 'Wire of today' })
  expect([received.status, received.json]).toMatchObject([200, { status: 'received', note: 'Wire of today' }])
  expect(await readBalance(client)).toMatchObject({ balance: '250.00', funding: 'available', pending: [] })
  expect(await readLedger(client)).toMatchObject([
    { entry_type: 'top_up', amount: '250.00', balance_after: '250.00', note: 'Wire of today' },
  ])
})

describe('a payment', () => {
  test('that many requests receive at once is credited once', async () => {
    const client = await app.newClient()
    const { json } = await ask(client, { amount: 50 })
    const answers = await Promise.all([1, 2, 3, 4].map(() => decide('receive', json.id)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect([(await readBalance(client)).balance, (await readLedger(client)).length]).toEqual(['50.00', 1])
  })

  test('is received, rejected or cancelled: the first one counts', async () => {
    const client = await app.newClient()
    const { json } = await ask(client, { amount: 50 })
    const answers = await Promise.all([
      decide('receive', json.id),
      decide('reject', json.id),
      cancel(client, json.id),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const isReceived = answers[0].status === 200
    expect((await readBalance(client)).balance).toBe(isReceived ? '50.00' : '0.00')
    expect((await readLedger(client)).length).toBe(isReceived ? 1 : 0)
  })

  test('is received with the amount that came, less or more than requested, and its client sees both', async () => {
    const client = await app.newClient()
    const { id } = (await ask(client, { amount: 100 })).json
    const silent = await decide('receive', id, { amount: 50 })
    expect([silent.status, silent.json.errors]).toEqual([
      422,
      [{ path: 'note', message: 'Say why this is another amount' }],
    ])
    for (const amount of [0, -1, '0.001', 100_000.01, 'all', null])
      expect((await decide('receive', id, { amount, note: 'Typed' })).json.errors[0]?.path).toBe('amount')
    const received = await decide('receive', id, { amount: '50', note: 'Half of it came' })
    expect([received.status, received.json]).toMatchObject([
      200,
      { status: 'received', amount: '50.00', asked_amount: '100.00', note: 'Half of it came' },
    ])
    const more = (await ask(client, { amount: 100 })).json.id
    await decide('receive', more, { amount: 120.5, note: 'Rounded up' })
    const exact = (await ask(client, { amount: 100 })).json.id
    expect((await decide('receive', exact, { amount: 100 })).json).toMatchObject({
      amount: '100.00',
      asked_amount: null,
    })
    expect((await readLedger(client)).map((entry) => ledgerEntrySchema.parse(entry).amount)).toEqual([
      '100.00',
      '120.50',
      '50.00',
    ])
    expect((await readBalance(client)).balance).toBe('270.50')
    const { rows } = await sql<{ details: unknown }>`
      select details from auth.audit_log where action = 'payment_received' and user_id = ${client.id} order by id`.execute(
      app.context.db,
    )
    expect(rows[0]?.details).toMatchObject({
      payment_id: id,
      amount: '50.00',
      before: { status: 'pending', amount: '100.00' },
      after: { status: 'received', amount: '50.00' },
      note: 'Half of it came',
    })
  })

  test('is received with at most the limit more than was asked for, in 24 hours', async () => {
    const client = await app.newClient()
    const ids = []
    for (let time = 0; time < 3; time += 1) ids.push((await ask(client, { amount: 100 })).json.id)
    const [first = '', second = '', third = ''] = ids
    const tooMuch = await decide('receive', first, { amount: '600.01', note: 'Typed' })
    expect([tooMuch.status, tooMuch.json.detail]).toEqual([
      409,
      'This is $500.01 more than was asked for or reported. Receive what was asked for; an adjustment, which another administrator confirms, adds the rest.',
    ])
    expect((await decide('receive', first, { amount: '500', note: 'More came' })).status).toBe(200)
    expect((await decide('receive', second, { amount: '200.01', note: 'More came' })).status).toBe(409)
    expect((await decide('receive', second, { amount: '200', note: 'More came' })).status).toBe(200)
    const body = { amount: '0.01', note: 'Split' }
    const adjusted = await app.call('POST', `/api/v1/admin/clients/${client.id}/adjust`, {
      token: app.admin.token,
      body,
    })
    expect(adjusted.status).toBe(202)
    expect((await decide('receive', third)).status).toBe(200)
    expect((await readBalance(client)).balance).toBe('800.00')
  })

  test('of an administrator’s own account is received by another one, whatever the amount', async () => {
    const own = await app.newClient()
    const { id } = (await ask(own, { amount: 50 })).json
    await app.context.db
      .updateTable('profiles')
      .set({ role: 'admin', admin_role: 'finance' })
      .where('user_id', '=', own.id)
      .execute()
    const refused = await decide('receive', id, {}, own.token)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      'This is your own account: another administrator marks its payments as received.',
    ])
    expect((await decide('receive', id)).json).toMatchObject({ status: 'received' })
  })

  test('that was rejected or cancelled is final, and a cancellation may be repeated', async () => {
    const client = await app.newClient()
    const rejected = (await ask(client, { amount: 50 })).json.id
    expect((await decide('reject', rejected, { note: 'No money came' })).json).toMatchObject({
      status: 'failed',
      note: 'No money came',
    })
    expect((await decide('receive', rejected)).json.detail).toBe('This payment is failed already.')
    expect((await cancel(client, rejected)).status).toBe(409)
    const cancelled = (await ask(client, { amount: 50 })).json.id
    expect((await cancel(client, cancelled)).json.status).toBe('cancelled')
    expect((await cancel(client, cancelled)).json.status).toBe('cancelled')
    expect((await decide('receive', cancelled)).status).toBe(409)
    expect(await readLedger(client)).toEqual([])
  })

  test.each([49.99, '25.001', 25.001, 0, -50, 1e9, '1e3', ' 50 ', null, true, '10000.01'])(
    'of %j is refused at its amount',
    async (amount) => {
      const { status, json } = await ask(await app.newClient(), { amount })
      expect([status, json.errors.map(({ path }) => path)]).toEqual([422, ['amount']])
    },
  )

  test('is created once under a key, and never with another amount under that key', async () => {
    const client = await app.newClient()
    const headers = { 'Idempotency-Key': 'payment-1' }
    const answers = await Promise.all([1, 2, 3].map(() => ask(client, { amount: 60 }, headers)))
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1)
    // The same amount in another notation.
    expect((await ask(client, { amount: '60.00' }, headers)).json.id).toBe(answers[0]?.json.id)
    expect((await ask(client, { amount: 61 }, headers)).json.code).toBe('idempotency_key_reused')
    expect((await readBalance(client)).pending).toHaveLength(1)
  })

  test('is one of at most three open ones, even if many are requested at once', async () => {
    const client = await app.newClient()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(client, { amount: 50 })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409])
    const [first] = (await readBalance(client)).pending
    await cancel(client, first?.id ?? '')
    expect((await ask(client, { amount: 50 })).status).toBe(201)
  })

  test('is requested twenty times an hour at most', async () => {
    const client = await app.newClient()
    for (let time = 0; time < 20; time += 1) await cancel(client, (await ask(client, { amount: 50 })).json.id)
    const { status, headers } = await ask(client, { amount: 50 })
    expect([status, headers.get('retry-after')]).toEqual([429, '3600'])
  })

  test('is visible only to its client, and only administrators decide', async () => {
    const [owner, other] = [await app.newClient(), await app.newClient()]
    const { id } = (await ask(owner, { amount: 50 })).json
    expect((await cancel(other, id)).status).toBe(404)
    expect((await app.call('GET', '/api/v1/payments', { token: other.token })).json.data).toEqual([])
    expect((await decide('receive', id, {}, owner.token)).status).toBe(403)
    expect((await app.call('GET', '/api/v1/admin/payments', { token: owner.token })).status).toBe(403)
    expect((await ask(app.admin, { amount: 50 })).status).toBe(404)
    expect((await decide('receive', '01900000-0000-7000-8000-00000000dead')).status).toBe(404)
    expect((await decide('receive', id, { note: 'x'.repeat(501) })).json.errors[0]?.path).toBe('note')
    const unsigned = await app.call('POST', '/api/v1/payment-webhook', { body: { id: 'evt_1' } })
    expect([unsigned.status, (await readBalance(owner)).pending]).toMatchObject([404, [{ id }]])
  })

  test('is listed newest first, in pages', async () => {
    const client = await app.newClient()
    const made: string[] = []
    for (let time = 0; time < 3; time += 1) made.push((await ask(client, { amount: 50 })).json.id)
    const list = async (query: string) =>
      (await app.call('GET', `/api/v1/payments?limit=2${query}`, { token: client.token })).json
    const first = await list('')
    const second = await list(`&cursor=${first.next_cursor}`)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made.toReversed())
    expect(second.next_cursor).toBeNull()
  })
})

test('a received payment has its receipt as a file, which its client reads and nobody changes', async () => {
  const payer = await app.newClient()
  const { db } = app.context
  const name = (business: string) =>
    db
      .updateTable('client_accounts')
      .set({ business_name: business })
      .where('user_id', '=', payer.id)
      .execute()
  await name('<b>Acme & Sons</b>')
  const asked = await ask(payer, { amount: 75 })
  const path = `/api/v1/payments/${asked.json.id}/receipt`
  const read = (who: Person) => app.call('GET', path, { token: who.token })
  expect((await read(payer)).status).toBe(404)
  await decide('receive', asked.json.id, { note: 'Wire 7' })
  await createStoreReceipts(app.context)(new AbortController().signal)
  await name('Later')

  const { rows } = await sql<{ receipt_number: number }>`
    select receipt_number from payments where id = ${asked.json.id}`.execute(db)
  const number = String(rows[0]?.receipt_number).padStart(6, '0')
  const receipt = await read(payer)
  expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${number}.html"`)
  for (const text of [
    `Receipt no. ${number}`,
    '$75.00',
    '&lt;b&gt;Acme &amp; Sons&lt;/b&gt;',
    payer.email,
    'Wire 7',
  ])
    expect(receipt.text).toContain(text)
  expect(receipt.text).not.toMatch(/<script|<b>|Later/)
  expect((await read(await app.newClient())).status).toBe(404)
  const byAdmin = `/api/v1/admin/payments/${asked.json.id}/receipt`
  expect((await app.call('GET', byAdmin, { token: payer.token })).status).toBe(403)
  expect((await app.call('GET', byAdmin, { token: app.admin.token })).text).toBe(receipt.text)

  const wire = openStorage(app.url, payer.token).from('receipts')
  const stored = `${payer.id}/receipt-${number}.html`
  expect((await wire.list(payer.id)).data?.map((file) => file.name)).toEqual([`receipt-${number}.html`])
  expect(await (await wire.download(stored)).data?.text()).toBe(receipt.text)
  expect((await wire.remove([stored])).error).toMatchObject({ statusCode: '403' })
})
