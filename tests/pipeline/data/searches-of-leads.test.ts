import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { listLeads } from '#core/data/leads/lists/list-leads.ts'
import { foldText } from '#core/contract/fold-text.ts'
import { chooseWay, listSpans } from '#core/data/leads/lists/search-leads.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

const LATELY = 3000
const LONG_AGO = 3000
const PAGE = 7

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let client: string
/** Newest first; `text` is the searched text in lower case without accents. */
let all: { id: string; text: string; name: string; email: string; phone: string }[]
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const { db } = opened
  client = await givenClient(db)
  const neighbour = await givenClient(db)
  // Half came within five days, half in the two years before; one in five is another client's.
  await sql`
    insert into leads (lead_type, user_id, assigned_to, assigned_at, status, name, email, phone, created_at)
    select 'final_expense', case when i % 7 = 0 then ${client}::uuid end, case when i % 5 = 0 then ${neighbour}::uuid else ${client}::uuid end,
      now(), case when i % 50 = 0 then 'returned' else 'assigned' end, first || ' ' || last, lower(last) || '.' || lower(first) || i || '@example.com',
      '+1512555' || lpad((i * 7919 % 10000)::text, 4, '0'),
      case when i <= ${LATELY}::int then now() - make_interval(secs => i * 144)
        else now() - make_interval(days => 5, secs => (i - ${LATELY}::int) * 21024) end
    from (
      select i, (array['Robin', 'Jamie', 'Kim', 'Alex', 'Morgan', 'Ána', 'Jo'])[1 + i * 31 % 7] as first,
        initcap((array['mar', 'lin', 'bel', 'cor', 'zan', 'quin', 'yor', 'gal'])[1 + i * 17 % 8]
          || (array['son', 'ley', 'berg', 'field', 'wood', 'ski', 'ez'])[1 + i * 13 % 7]) || substr(md5((i % 400)::text), 1, 2) as last
      from generate_series(1, ${LATELY + LONG_AGO}::int) i
    ) made`.execute(db)
  await sql`analyze`.execute(db)
  const { rows } = await sql<(typeof all)[number]>`
    select id, name, email::text, phone, lower(name || ' ' || email || ' ' || phone) as text from leads
    where (assigned_to = ${client} or user_id = ${client}) and status <> 'returned' order by created_at desc, id desc`.execute(
    db,
  )
  all = rows.map((row) => ({ ...row, text: foldText(row.text) }))
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

/** Reads all pages of a search as one list. */
async function readAll(search: string): Promise<string[]> {
  const viewer = { user_id: client, role: 'client' } as const
  const ids: string[] = []
  let after: { at: string; id: string } | undefined
  for (;;) {
    const rows = await listLeads(opened.db, viewer, { search }, { limit: PAGE, after })
    ids.push(...rows.slice(0, PAGE).map(({ id }) => id))
    const last = rows[PAGE - 1]
    if (rows.length <= PAGE || last === undefined || ids.length >= 4 * PAGE) return ids
    after = { at: last.position, id: last.id }
  }
}

const SAMPLES = [0, 40, 700, 2300, 2390, 2500, 3100, 4000, 4700]

test('every search finds the same leads in the same order as a check of each lead', async () => {
  const viewer = { user_id: client, role: 'client' } as const
  const ways = new Set<string>()
  const searches = SAMPLES.flatMap((index) => {
    const { name, email, phone } = all[index] ?? { name: '', email: '', phone: '' }
    const last = name.split(' ').at(-1) ?? ''
    return [
      name,
      last,
      last.slice(0, 3),
      last.slice(-4),
      name.slice(2, 9),
      email,
      email.slice(3, 14),
      phone.slice(-4),
      phone.slice(-7),
    ]
  })
  for (const search of new Set([...searches, 'quinwood', 'ÁNA', 'n z', 'zzq'])) {
    const way = await chooseWay(opened.db, viewer, search, PAGE + 1)
    ways.add(way === 'walk' ? 'walk' : listSpans(way, undefined) === undefined ? 'all' : 'newest first')
    const naive = all.filter(({ text }) => text.includes(foldText(search).toLowerCase()))
    expect([search, await readAll(search)]).toEqual([search, naive.slice(0, 4 * PAGE).map(({ id }) => id)])
  }
  expect([...ways].toSorted()).toContain('newest first')
  expect(ways.size).toBeGreaterThan(1)
})
