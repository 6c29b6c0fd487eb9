import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { AnswerBody, Person } from '../support/start-app.ts'
import { giveLead } from './give-lead.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client, other, get } = await startForTwo()
const { db } = app.context
const ids = (json: AnswerBody) => json.data.map(({ id }) => id)

/** Reads a list to its end in pages of two. */
async function readAll(query: string, who: Person = client): Promise<string[]> {
  const seen: string[] = []
  let cursor = ''
  do {
    const page = (await get(`/api/v1/leads?limit=2&${query}${cursor}`, who)).json
    seen.push(...ids(page))
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
  } while (cursor !== '')
  return seen
}

const given = [
  { name: 'Zoë Example', state: 'TX', price: 30, disposition: 'quoted' },
  { name: 'adam Example', state: 'CA', price: 25, disposition: 'new' },
  { name: 'Adam Example', state: 'TX', price: 25, disposition: 'quoted' },
  { name: undefined, state: 'AL', price: 0, disposition: 'quoted' },
  { name: '=cmd|"x"!A1', state: 'CA', price: 40.5, disposition: 'new' },
]
const leads: string[] = []
for (const { price, disposition, name, ...fields } of given) {
  const id = await giveLead(app, client, { ...fields, first_name: name ?? 'Nobody', last_name: undefined })
  leads.push(id)
  await sql`update leads set price_charged = ${price}, name = ${name ?? null} where id = ${id}`.execute(db)
  await sql`update lead_assignments set disposition = ${disposition} where lead_id = ${id}`.execute(db)
}
const [zoe = '', adam = '', bigAdam = '', nobody = '', formula = ''] = leads

describe('a list', () => {
  test.each([
    ['received', [zoe, adam, bigAdam, nobody, formula]],
    ['-received', [formula, nobody, bigAdam, adam, zoe]],
    ['name', [nobody, formula, adam, bigAdam, zoe]],
    ['-name', [zoe, bigAdam, adam, formula, nobody]],
    ['state', [nobody, adam, formula, zoe, bigAdam]],
    ['-price', [formula, zoe, bigAdam, adam, nobody]],
  ])(
    'sorted by %s has pages without gap or repetition, and gives each lead the same neighbours',
    async (sort, expected) => {
      expect(await readAll(`sort=${sort}`)).toEqual(expected)
      for (const [index, id] of expected.entries()) {
        const { json } = await get(`/api/v1/leads/${id}/neighbours?sort=${sort}`)
        expect(json).toEqual({ previous: expected[index - 1] ?? null, next: expected[index + 1] ?? null })
      }
    },
  )

  test('can be filtered by disposition, also when sorted, and gives neighbours of a lead that left it', async () => {
    expect(await readAll('disposition=quoted')).toEqual([nobody, bigAdam, zoe])
    expect(await readAll('disposition=quoted&sort=price')).toEqual([nobody, bigAdam, zoe])
    expect((await get(`/api/v1/leads/${adam}/neighbours?disposition=quoted`)).json).toEqual({
      previous: bigAdam,
      next: zoe,
    })
  })

  test('of unread leads loses leads that are opened or marked, and another client’s lead is not marked', async () => {
    expect(await readAll('unread=true')).toEqual([formula, nobody, bigAdam, adam, zoe])
    await get(`/api/v1/leads/${zoe}`)
    const mark = (who: Person, lead_ids: unknown) =>
      app.call('POST', '/api/v1/leads/mark-read', { token: who.token, body: { lead_ids } })
    expect((await mark(client, [adam, bigAdam, zoe])).json).toEqual({ marked: 2 })
    expect((await mark(other, [formula])).json).toEqual({ marked: 0 })
    expect((await mark(client, [])).status).toBe(422)
    expect(await readAll('unread=true')).toEqual([formula, nobody])
    expect((await get('/api/v1/me')).json.unread_lead_count).toBe(2)
  })

  test('of returned or failed leads holds only these', async () => {
    const buyer = await app.newClient()
    const body = { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/hook' }
    const webhook = (await app.call('POST', '/api/v1/webhook-configs', { token: buyer.token, body })).json.id
    const [failed, resent, plain] = [
      await giveLead(app, buyer),
      await giveLead(app, buyer),
      await giveLead(app, buyer),
    ]
    await sql`update leads set status = 'returned' where id = ${plain}`.execute(db)
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, finished_at, next_attempt_at)
      select id, type, ${webhook}, ${buyer.id}, lead_id, 'failed', now(), null from events
      where lead_id = any(${[failed, resent]}::uuid[]) and type = 'lead.assigned'`.execute(db)
    await sql`
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
      select event_id, event_type, webhook_config_id, client_user_id, lead_id, id from webhook_deliveries
      where lead_id = ${resent}`.execute(db)

    expect(await readAll('delivery=failed', buyer)).toEqual([failed])
    expect(await readAll('delivery=failed&disposition=new&sort=name', buyer)).toEqual([failed])
    expect(await readAll('status=returned', buyer)).toEqual([plain])
    expect(await readAll('delivery=failed', client)).toEqual([])
  })

  test('by name does not reveal the name of a returned lead, neither by its place nor by a cursor', async () => {
    const buyer = await app.newClient()
    const [first, hidden, last] = [
      await giveLead(app, buyer, { first_name: 'Anna' }),
      await giveLead(app, buyer, { first_name: 'Hidden' }),
      await giveLead(app, buyer, { first_name: 'Zora' }),
    ]
    await sql`update leads set status = 'returned' where id = ${hidden}`.execute(db)
    expect(await readAll('sort=name', buyer)).toEqual([first, last])
    expect(await readAll('sort=-name&status=returned', buyer)).toEqual([])
    expect(await readAll('sort=price', buyer)).toEqual([first, hidden, last])
    expect((await get(`/api/v1/leads/${hidden}/neighbours?sort=name`, buyer)).json).toEqual({
      previous: null,
      next: null,
    })
    expect(await readAll('sort=name&status=returned', app.admin)).toContain(hidden)
  })

  test.each([
    'sort=phone',
    'disposition=sold_out',
    'delivery=late',
    'unread=no',
    'sort=price&cursor=bm9uc2Vuc2U',
  ])('refuses ?%s', async (query) => {
    expect((await get(`/api/v1/leads?${query}`)).status).toBe(422)
  })

  test('refuses the cursor of another sort order', async () => {
    const { next_cursor } = (await get('/api/v1/leads?limit=2&sort=name')).json
    expect((await get(`/api/v1/leads?sort=price&cursor=${next_cursor}`)).status).toBe(422)
    expect((await get(`/api/v1/leads/${zoe}/neighbours`, other)).status).toBe(404)
  })
})

test('the list is exported as a CSV file of all pages without formulas, and the export is recorded', async () => {
  const { status, headers, text } = await get('/api/v1/leads.csv?disposition=new&search=example&sort=name')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('content-disposition')).toBe('attachment; filename="leads.csv"')
  const all = (await get('/api/v1/leads.csv')).text.split('\r\n')
  expect(all[0]).toMatch(
    /^Lead id,Received,Name,Phone,Email,State,City,Type,Status,Price,Disposition,.*,Unread,Do not contact$/,
  )
  expect(all).toHaveLength(7)
  expect(all[1]).toContain(`"'=cmd|""x""!A1"`)
  expect(all[1]).toContain(",'+12025550143,")
  expect(text.split('\r\n')).toHaveLength(4)
  expect((await get('/api/v1/leads.csv', other)).text.split('\r\n')).toHaveLength(2)
  const audit = await get('/api/v1/me/audit')
  expect(audit.json.data.filter((row) => JSON.stringify(row).includes('leads_exported'))).toHaveLength(2)
  expect(audit.text).not.toContain('example&')
  expect(audit.text).toContain('"is_searched":true')
})
