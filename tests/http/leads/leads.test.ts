import { describe, expect, test } from 'vitest'
import { newLead, type AnswerBody } from '../support/start-app.ts'
import { giveLead } from './give-lead.ts'
import { startForTwo } from './start-for-two.ts'

const { app, client, other, get } = await startForTwo()
const ids = (json: AnswerBody) => json.data.map(({ id }) => id)

describe('the list', () => {
  test('holds the client’s own leads, and all leads for an administrator', async () => {
    const mine = await giveLead(app, client)
    const theirs = await giveLead(app, other)

    expect(ids((await get('/api/v1/leads')).json)).toContain(mine)
    expect(ids((await get('/api/v1/leads')).json)).not.toContain(theirs)
    expect(ids((await get('/api/v1/leads', app.admin)).json)).toEqual(expect.arrayContaining([mine, theirs]))
  })

  test('holds each owned lead once, even without an assignment', async () => {
    const buyer = await app.newClient()
    const source = await app.newSource({ owner: buyer, auto_assign: false })
    await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    await giveLead(app, buyer)

    const { json } = await get('/api/v1/leads', buyer)
    expect(json.data.map(({ status }) => status)).toEqual(['assigned', 'new'])
  })

  test('is paged from newest to oldest without a gap or a repetition', async () => {
    const buyer = await app.newClient()
    const source = await app.newSource({ owner: buyer })
    const leads = Array.from({ length: 23 }, () => newLead())
    const { json } = await app.call('POST', '/api/v1/leads/batch', { token: source.key, body: leads })
    const given = json.results.map(({ lead_id }) => lead_id)

    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: AnswerBody = (
        await get(`/api/v1/leads?limit=10&cursor=${cursor}`.replace(/&cursor=$/, ''), buyer)
      ).json
      seen.push(...ids(page))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(given.toSorted().toReversed())
  })

  test.each([
    ['part of a name, any case', 'zOË'],
    ['part of an e-mail address', 'zoe.search@'],
    ['part of a phone', '5550199'],
    ['a phone with punctuation', '(202) 555-0199'],
    ['percent and underscore as themselves', '50%_off'],
  ])('is searched by %s', async (_what, search) => {
    const buyer = await app.newClient()
    const id = await giveLead(app, buyer, {
      name: 'Zoë 50%_off Example',
      first_name: undefined,
      last_name: undefined,
      email: 'zoe.search@example.com',
      phone: '2025550199',
    })
    await giveLead(app, buyer, {
      name: 'Someone Else',
      first_name: undefined,
      last_name: undefined,
      email: 'x@example.com',
    })

    expect(
      ids((await get(`/api/v1/leads?limit=5&search=${encodeURIComponent(search)}`, buyer)).json),
    ).toEqual([id])
  })

  test('is filtered by state, type, status and time', async () => {
    const buyer = await app.newClient()
    const id = await giveLead(app, buyer, { state: 'NY', lead_type: 'auto' })
    await giveLead(app, buyer)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

    expect(ids((await get('/api/v1/leads?state=ny', buyer)).json)).toEqual([id])
    expect(ids((await get('/api/v1/leads?lead_type=auto&status=assigned', buyer)).json)).toEqual([id])
    expect(ids((await get('/api/v1/leads?status=new', buyer)).json)).toEqual([])
    expect(ids((await get(`/api/v1/leads?from=${tomorrow}`, buyer)).json)).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=101',
    'cursor=nonsense',
    'status=sold',
    'from=yesterday',
    'from=-271821-04-20',
    'to=%2B275760-09-12',
    'search=%00',
    'search=a&search=b',
  ])('refuses ?%s', async (query) => {
    const { status, json } = await get(`/api/v1/leads?${query}`)

    expect({ status, code: json.code }).toEqual({ status: 422, code: 'validation_failed' })
    expect(json.errors[0]?.path).toBe(query.split('=', 1)[0])
  })
})
