import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { readAudit } from './read-audit.ts'

const TYPES = '/api/v1/admin/lead-types'
const PRICES = '/api/v1/admin/lead-prices'
let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: app.admin.token, body })
const faults = async (method: string, path: string, body: unknown) => {
  const { status, json } = await call(method, path, body)
  return { status, paths: status === 422 ? json.errors.map((error) => error.path) : [] }
}

let made = 0
async function newType(price = '25.00', floor_price = '10.00'): Promise<string> {
  made += 1
  const code = `type_${made}`
  const { status } = await call('POST', TYPES, { code, label: `Type ${made}`, price, floor_price })
  expect(status).toBe(201)
  return code
}

describe('lead types', () => {
  test('are added and changed, with old and new values in the audit log', async () => {
    const code = await newType()
    const changed = await call('PATCH', TYPES, { code, price: 30.5, floor_price: '12', note: 'New costs' })

    expect(changed.json).toMatchObject({ code, price: '30.50', floor_price: '12.00', orders: 0 })
    await call('PATCH', TYPES, { code, price: '30.50' })
    const rows = (await readAudit(app, 'lead_type_changed')).filter(({ details }) =>
      JSON.stringify(details).includes(`"${code}"`),
    )
    expect(rows).toMatchObject([
      {
        actor_id: app.admin.id,
        user_id: null,
        details: {
          before: { price: '25.00', floor_price: '10.00' },
          after: { price: '30.50', floor_price: '12.00' },
          note: 'New costs',
        },
      },
    ])
    expect((await call('GET', TYPES)).json.data).toContainEqual(
      expect.objectContaining({ code, price: '30.50' }),
    )
  })

  test('are neither added twice nor sold below their floor', async () => {
    const code = await newType()
    const twice = { code, label: 'Again', price: '20', floor_price: '10' }

    expect((await call('POST', TYPES, twice)).status).toBe(409)
    expect(await faults('POST', TYPES, { ...twice, code: 'cheap', price: '9.99' })).toEqual({
      status: 422,
      paths: ['price'],
    })
    expect((await faults('PATCH', TYPES, { code, price: '9.99' })).paths).toEqual(['price'])
    expect((await faults('PATCH', TYPES, { code, floor_price: '25.01' })).paths).toEqual(['floor_price'])
    expect((await call('PATCH', TYPES, { code: 'nothing_of_this', price: '20' })).status).toBe(404)
  })

  test.each([
    ['price', '1e3'],
    ['price', -1],
    ['price', 0],
    ['price', 25.001],
    ['price', 1e9],
    ['price', null],
    ['floor_price', '10.000'],
    ['code', 'Final Expense'],
    ['code', '_x'],
    ['label', ' '],
  ])('refuse %s %j', async (path, value) => {
    const body = { code: 'fine', label: 'Fine', price: '20.00', floor_price: '10.00', [path]: value }
    expect(await faults('POST', TYPES, body)).toEqual({ status: 422, paths: [path] })
  })
})

describe('prices that differ from those of the types', () => {
  test('are set, changed, listed and removed, each time with the previous value', async () => {
    const lead_type = await newType()
    const said = await call('POST', PRICES, {
      lead_type,
      state: 'texas',
      client_user_id: client.id,
      price: '22',
    })
    const anew = await call('POST', PRICES, {
      lead_type,
      state: 'TX',
      client_user_id: client.id,
      price: '23.5',
      note: 'For a hundred a week',
    })
    await call('POST', PRICES, { lead_type, state: 'TX', price: '24' })

    expect(said.json).toMatchObject({ state: 'TX', client: { user_id: client.id }, price: '22.00' })
    expect(anew.json).toMatchObject({ id: said.json.id, price: '23.50' })
    const list = await call('GET', `${PRICES}?client=${client.id}`)
    expect(list.json.data).toMatchObject([{ id: said.json.id, price: '23.50' }])
    const detail = await call('GET', `/api/v1/admin/clients/${client.id}`)
    expect(detail.json).toMatchObject({ prices: [{ id: said.json.id }] })
    const body = { note: 'Agreement ended' }
    expect((await call('DELETE', `${PRICES}/${said.json.id}`, body)).status).toBe(204)
    expect((await call('DELETE', `${PRICES}/${said.json.id}`)).status).toBe(404)
    expect((await readAudit(app, 'lead_price_removed'))[0]).toMatchObject({
      user_id: client.id,
      details: { lead_type, state: 'TX', before: { price: '23.50' }, note: 'Agreement ended' },
    })
    expect((await readAudit(app, 'lead_price_set')).map(({ details }) => details)).toMatchObject([
      { before: null, after: { price: '24.00' }, note: null },
      { before: { price: '22.00' }, after: { price: '23.50' }, note: 'For a hundred a week' },
      { before: null, after: { price: '22.00' } },
    ])
  })

  test('are unique, even if many are set at one moment', async () => {
    const lead_type = await newType()
    const answers = await Promise.all(
      ['21', '22', '23', '24'].map((price) => call('POST', PRICES, { lead_type, state: 'NV', price })),
    )

    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect((await call('GET', `${PRICES}?lead_type=${lead_type}`)).json.data).toHaveLength(1)
  })

  test('are refused below the floor, and for unknown clients, states and types', async () => {
    const lead_type = await newType()
    const body = { lead_type, state: 'CA', price: '15.00' }

    for (const [change, path] of [
      [{ price: '9.99' }, 'price'],
      [{ lead_type: 'none' }, 'lead_type'],
      [{ state: 'ZZ' }, 'state'],
      [{ state: 'Palau' }, 'state'],
      [{ state: null }, 'state'],
      [{ client_user_id: app.admin.id }, 'client_user_id'],
    ] as const)
      expect(await faults('POST', PRICES, { ...body, ...change })).toEqual({ status: 422, paths: [path] })
  })

  test('and types can be changed only by administrators', async () => {
    const source = await app.newSource()
    for (const [method, path] of [
      ['GET', TYPES],
      ['POST', TYPES],
      ['PATCH', TYPES],
      ['GET', PRICES],
      ['POST', PRICES],
      ['DELETE', `${PRICES}/${source.id}`],
    ] as const) {
      expect((await app.call(method, path, { token: client.token })).status, path).toBe(403)
      expect((await app.call(method, path, { token: source.key })).status, path).toBe(401)
    }
  })
})
