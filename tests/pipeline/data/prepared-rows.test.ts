import { globSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NEED_KINDS } from '#core/contract/operations/needs.ts'
import { QUEUE_STATES } from '#core/contract/operations/queues.ts'
import { REVENUE_GROUPS } from '#core/contract/market/money/market-money.ts'
import { ROW_TABLE_NAMES } from '#core/contract/rows/row-tables.ts'
import { EXPORT_KINDS } from '#core/contract/exports/export.ts'
import { listExports } from '#core/data/exports/exports.ts'
import { listFolder } from '#core/data/files/list-files.ts'
import { countFailed } from '#core/data/outbox/retry-failed.ts'
import { SEALED_COLUMNS } from '#core/data/secrets/sealed-columns.ts'
import { countSealed, findSealedOtherwise } from '#core/data/secrets/sealed-values.ts'
import { readMe } from '#core/data/accounts/profiles.ts'
import { listAdminLeads } from '#core/data/leads/admin-leads.ts'
import { listLeadsOf } from '#core/data/leads/data-subjects.ts'
import { within } from '#core/data/market/money/movements.ts'
import { findRows } from '#core/data/rows/find-rows.ts'
import { addRevenue, countRevenue } from '#core/data/market/money/revenue.ts'
import { listBoardDeliveries } from '#core/data/operations/board-deliveries.ts'
import { findNeeds } from '#core/data/operations/needs.ts'
import { readPast } from '#core/data/operations/overview/kept-hours.ts'
import { countDeliveries } from '#core/data/operations/overview/delivery-hours.ts'
import { listClientPeople } from '#server/accounts/people/list-client-people.ts'
import { recordSales } from '#core/data/market/sale/record-decisions.ts'
import { findFirst } from '#core/data/leads/lists/find-neighbours.ts'
import { countOldRows } from '#core/data/retention/count-old-rows.ts'
import { emptyOldLeads } from '#core/data/retention/empty-leads.ts'
import { RETAINED } from '#core/data/schema/retention-tables.ts'
import { findAmongNewest, listLeads } from '#core/data/leads/lists/list-leads.ts'
import { dropOutdatedNotices } from '#core/data/webhooks/health/drop-outdated-notices.ts'
import { resolveSearch } from '#core/data/webhooks/logs/log-filter.ts'
import { raiseAlerts } from '#server/accounts/audit/raise-alerts.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { describeStatement, type DescribedColumn } from '#tests/support/statements/describe-statement.ts'
import { isTrue, kindOfColumn } from '#tests/support/statements/kind-of-column.ts'
import { findTypedSql } from '#tests/support/statements/find-statements.ts'
import { readKinds, readMembers } from '#tests/support/statements/read-row-type.ts'
import { recordModule, recordStatements } from '#tests/support/statements/record-statements.ts'

const ID = '01900000-0000-7000-8000-000000000000'

/** Records statements that only certain arguments lead to. */
async function recordFurther(): Promise<Set<string>> {
  const { db, texts } = recordStatements(false)
  for (const search of ['rosa', ID])
    await resolveSearch(db, { client: undefined, webhook_config_id: ID, search })
  const kept = { since: new Date(0), until: new Date() }
  await countFailed(db, 'events', undefined)
  const holder = { user_id: ID, ip: '192.0.2.1' }
  await raiseAlerts(db, 'failed_login', holder, {} as never)
  const beside = { after: { at: '2026-01-31T00:00:00.000000Z', id: ID }, isTurned: false }
  await findFirst(db, { user_id: ID, role: 'client' }, { way: 'walk', hasFewFailed: false }, beside)
  const reader = { account_id: ID, asked_by: ID, kinds: EXPORT_KINDS, is_admin: false }
  await listExports(db, reader, { limit: 1, after: undefined })
  const way = { pieces: ['rosa'], among: { days: 1, newest: new Date() } }
  const page = { limit: 1, after: undefined }
  await findAmongNewest(db, { user_id: ID, role: 'client' }, { way, hasFewFailed: false }, page)
  const none = { columns: ['id'], where: [], order: [], limit: 1, offset: 0 }
  for (const table of ROW_TABLE_NAMES)
    await findRows(db, { table, owner: { account_id: ID }, query: none, kept, count: 'exact' })
  const failed = { delivery: 'failed', sort: 'name' } as const
  await listLeads(db, { user_id: ID, role: 'client' }, failed, page)
  const order = { tally: { day_spent: 0, month_spent: 0 } }
  const choice = { chosen: { order, price: 1 }, refused: {}, told: {} }
  await recordSales(db, [{ lead: { id: ID }, choice } as never], [order as never])
  const told = { webhook_config_id: ID, webhook_name: 'Example CRM', client_user_id: ID }
  const mail = { id: ID, recipient_id: ID, template: 'endpoint_recovered', data: told }
  await dropOutdatedNotices(db, mail as never)
  const oldest = { moment: new Date(0), id: ID }
  for (const what of RETAINED) await countOldRows(db, what, oldest)
  await emptyOldLeads(db, 'sold_leads', ID, oldest)
  for (const text of [...(await recordAdministration()), ...(await recordSealed())]) texts.add(text)
  return texts
}

/** Records the statements of a rotation, two for each sealed column. */
async function recordSealed(): Promise<Set<string>> {
  const { db, texts } = recordStatements(false)
  for (const place of Object.values(SEALED_COLUMNS)) {
    await countSealed(db, place)
    await findSealedOtherwise(db, place, { after: null, keyId: '' })
  }
  return texts
}

/** Records statements of the administrators' pages. */
async function recordAdministration(): Promise<string[]> {
  const { db, texts } = recordStatements(false)
  const span = { begins: new Date(0), ends: new Date() }
  for (const kind of NEED_KINDS) if (kind !== 'endpoint' && kind !== 'unsold') await findNeeds(db, kind)
  for (const state of QUEUE_STATES)
    for (const webhooks of [undefined, [ID]])
      await listBoardDeliveries(db, { state, webhooks, start: 0, limit: 1 })
  for (const by of REVENUE_GROUPS) {
    await countRevenue(db, by, { zone: 'UTC', ...span })
    await addRevenue(db, by, { days: [], counted: [] })
  }
  for (const table of ['leads', 'webhook_deliveries'] as const) await readPast(db, table)
  await countDeliveries(db, span, 60)
  await listAdminLeads(
    db,
    { user_id: ID, role: 'admin' },
    { status: 'expired' },
    { limit: 1, after: undefined },
  )
  const folder = { bucket: 'evidence', owner: {}, folder: '', search: '', limit: 1, offset: 0 }
  await listFolder(db, { ...folder, sort: 'name', descending: false })
  await readMe(db, { user_id: ID, account_id: ID, member_role: 'owner' })
  await expect(listClientPeople({ db } as never, { admin_role: 'owner' }, ID)).rejects.toThrow(
    'Client not found',
  )
  for (const kind of ['phone', 'email'] as const) await listLeadsOf(db, { kind, value: '+15550100' })
  // A binary search asks only in a ledger with many entries.
  const long = recordStatements({ last: '1000' })
  await within(long.db, span)
  return [...texts, ...long.texts]
}

/** An unknown kind has no query, and leaves a parameter where one is written. PostgreSQL refuses it. */
const HAS_NO_QUERY = /\b(?:from|as materialized) \(\$\d/

const files = globSync(['core/**/*.ts', 'server/**/*.ts', 'worker/**/*.ts']).toSorted()
const sites = files.flatMap(findTypedSql)
const wholes = sites.filter(({ column }) => column === null)
const columns = sites.filter(({ column }) => column !== null)

let database: TestDatabase
let client: pg.Client
const texts = new Set<string>()
const typeNames = new Map<number, string>()

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ oid: number; name: string }>(
    'select oid, typname as name from pg_type',
  )
  for (const { oid, name } of rows) typeNames.set(oid, name)
  for (const file of new Set(sites.map((site) => site.file))) {
    const found = await recordModule((await import(path.resolve(file))) as Record<string, unknown>)
    for (const text of found) texts.add(text)
  }
  for (const text of await recordFurther()) texts.add(text)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const kindOf = (type: number) => kindOfColumn(typeNames.get(type) ?? '')

describe('every hand-typed statement', () => {
  test.each(wholes)(
    'returns the columns that its row type declares: $file, $text',
    async ({ form, row, file }) => {
      const asked = [...texts].filter((text) => form.test(text) && !HAS_NO_QUERY.test(text))
      expect(asked, 'no call in this test leads to it: add one to recordFurther').not.toHaveLength(0)
      const declared = await readMembers(row, file)
      for (const text of asked) {
        const answered = await describeStatement(client, text)
        const names = answered.map(({ name }) => name)
        const required = [...declared].filter(([, kinds]) => !kinds.has('undefined')).map(([name]) => name)
        expect({ missing: required.filter((name) => !names.includes(name)) }).toEqual({ missing: [] })
        expect({ undeclared: names.filter((name) => !declared.has(name)) }).toEqual({ undeclared: [] })
        for (const { name, type } of answered) {
          const kinds = declared.get(name) ?? new Set()
          expect(
            isTrue(kinds, kindOf(type)),
            `${name} is ${typeNames.get(type)}, not ${[...kinds].join(' or ')}`,
          ).toBe(true)
        }
      }
    },
  )

  test.each(columns)(
    'returns the declared type in column $column: $file',
    async ({ form, row, file, column }) => {
      const asked = [...texts].filter((text) => form.test(text))
      expect(asked, 'no call in this test leads to it: add one to recordFurther').not.toHaveLength(0)
      const kinds = await readKinds(row, file)
      // A stand-in argument can build a statement that no real caller builds and that PostgreSQL refuses.
      const found: DescribedColumn[] = []
      for (const text of asked) {
        const described = await describeStatement(client, text).catch(() => [])
        found.push(...described.filter(({ name }) => name === column))
      }
      expect(found).not.toHaveLength(0)
      for (const { type } of found) expect(isTrue(kinds, kindOf(type)), typeNames.get(type)).toBe(true)
    },
  )
})
