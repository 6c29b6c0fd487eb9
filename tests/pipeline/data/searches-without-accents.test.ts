import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listClients } from '#core/data/market/admin-clients.ts'
import { openDatabase } from '#core/data/database.ts'
import { listLeads } from '#core/data/leads/lists/list-leads.ts'
import { matchesLead } from '#core/data/leads/lists/search-leads.ts'
import { foldText } from '#core/contract/fold-text.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createEarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let client: string
const BOTH = ['José Núñez', 'José Núñez'.normalize('NFD')].toSorted()
const NAMES = [
  ...BOTH,
  'Zoë Müller-Lüdenscheidt',
  'Søren Ægir Łukasz',
  'Anna Groß',
  'Ｗｉｄｅ Ana',
  'Nguyễn Thị Ánh',
  'Иван Петров',
  '王小明',
  'Plain Example',
  'Siobhán O’Neill',
  'Ana Smith\u2011Jones',
  'Sigríður Þórsdóttir',
  'ΝΊΚΟΣ ΠΑΠΠΆΣ',
  'Mar\u200bia D\u2032Ar\u00adcy',
  'Ana\u2015Lu\u201b',
  'Uri\u2069 \u2068Co\u202chen',
]
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'test' }, () => undefined)
  const { db } = opened
  client = await givenClient(db)
  await sql`
    insert into leads (lead_type, assigned_to, assigned_at, status, name)
    select 'final_expense', ${client}, now(), 'assigned', name from unnest(${NAMES}::text[]) as name`.execute(
    db,
  )
  await sql`update profiles set name = ${'José Núñez'.normalize('NFD')} where user_id = ${client}`.execute(db)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const find = async (search: string) => {
  const page = { limit: 20, after: undefined }
  const rows = await listLeads(opened.db, { user_id: client, role: 'client' }, { search }, page)
  return rows.map(({ name }) => name ?? '').toSorted()
}

test.each([
  ['José', BOTH],
  ['José'.normalize('NFD'), BOTH],
  ['JOSE', BOTH],
  ['nunez', BOTH],
  ['é nú', BOTH],
  ['zoe', [NAMES[2]]],
  ['mueller', []],
  ['ludensch', [NAMES[2]]],
  ['soren aegir lukasz', [NAMES[3]]],
  ['ÆGIR', [NAMES[3]]],
  ['gross', [NAMES[4]]],
  ['GROẞ', [NAMES[4]]],
  ['wide ana', [NAMES[5]]],
  ['nguyen thi', [NAMES[6]]],
  ['иван', [NAMES[7]]],
  ['小明', [NAMES[8]]],
  ['plain', [NAMES[9]]],
  ['pláin', [NAMES[9]]],
  ["o'neill", [NAMES[10]]],
  ['O´NEILL', [NAMES[10]]],
  ['smith-jones', [NAMES[11]]],
  ['Smith–Jones', [NAMES[11]]],
  ['sigridur thors', [NAMES[12]]],
  ['RÍÐUR ÞÓR', [NAMES[12]]],
  ['νίκος παππάς', [NAMES[13]]],
  ["maria d'arcy", [NAMES[14]]],
  ['Mar\u00adia D\u2032', [NAMES[14]]],
  ["ana-lu'", [NAMES[15]]],
  ['uri cohen', [NAMES[16]]],
  ['\u202aUri\u202c Cohen', [NAMES[16]]],
])(
  'a search for %s finds names with and without accents, however these are encoded',
  async (search, names) => {
    expect(await find(search)).toEqual(names)
  },
)

test('the index of texts also finds names with accents, by three letters and by two', async () => {
  const { db } = opened
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    await sql`set local enable_indexscan = off`.execute(trx)
    for (const search of ['nunez', 'Núñ', 'úñ']) {
      const { rows } = await sql<{
        name: string
      }>`select l.name from leads l where ${matchesLead(search)}`.execute(trx)
      expect([search, rows.map(({ name }) => name).toSorted()]).toEqual([search, BOTH])
      const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
        explain select l.id from leads l where ${matchesLead(search)}`.execute(trx)
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('leads_search_folded')
    }
  })
})

test('an administrator finds a client by name with or without accents', async () => {
  const page = { limit: 20, after: undefined }
  for (const search of ['jose nunez', 'JOSÉ', 'Núñez'.normalize('NFD')])
    expect([search, (await listClients(opened.db, { search }, page, 2)).map(({ id }) => id)]).toEqual([
      search,
      [client],
    ])
  expect(await listClients(opened.db, { search: 'pedro' }, page, 2)).toEqual([])
})

test('the database folds every letter like the program', async () => {
  const points = [
    [0x20, 0x2fff],
    [0x1e00, 0x1fff],
    [0xfb00, 0xfb06],
    [0xfe00, 0xfe0f],
    [0xff01, 0xff5e],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
  const texts = points
    .map((point) => String.fromCodePoint(point))
    // Only one of the two knows the newest characters of Unicode.
    .filter((text) => /\p{Assigned}/u.test(text))
    .map((text) => `a${text}z`)
  const { rows } = await sql<{ folded: string; text: string }>`
    select text, search_text(text, null, null) as folded from unnest(${texts}::text[]) as text`.execute(
    opened.db,
  )
  expect(rows.length).toBeGreaterThan(8000)
  expect(rows.filter(({ folded, text }) => folded !== `${foldText(text)}  `)).toEqual([])
})

test('an upgrade that folds more letters makes earlier leads findable by them', async () => {
  const earlier = await createEarlierDatabase('20261128070000-search-more-letters')
  try {
    await sql`
      create or replace function search_text(one text, two text, three text) returns text
      language sql immutable parallel safe as $$
        select coalesce(one, '') || ' ' || coalesce(two, '') || ' ' || coalesce(three, '')
      $$`.execute(earlier.db)
    const owner = await givenClient(earlier.db)
    await sql`
      insert into leads (lead_type, assigned_to, assigned_at, status, name)
      values ('final_expense', ${owner}, now(), 'assigned', 'Sigríður Þórsdóttir')`.execute(earlier.db)
    const search = async () => {
      const page = { limit: 20, after: undefined }
      const as = { user_id: owner, role: 'client' } as const
      return (await listLeads(earlier.db, as, { search: 'thorsd' }, page)).map(({ name }) => name)
    }
    const { rows } = await sql`
      select from leads where search_text(name, email::text, phone) like '%thorsd%'`.execute(earlier.db)
    expect(rows).toEqual([])

    await earlier.upgrade()

    expect(await search()).toEqual(['Sigríður Þórsdóttir'])
  } finally {
    await earlier.drop()
  }
})
