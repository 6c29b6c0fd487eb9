import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listColumns, ROW_TABLE_NAMES, type RowTable } from '#core/contract/rows/row-tables.ts'
import { openDatabase } from '#core/data/database.ts'
import {
  ATTEMPT_ROW,
  BALANCE_COLUMNS,
  CANCELLED_ROW,
  embeddedLeadColumns,
  leadColumns,
  lookUpEnd,
  WAITING_ROW,
  WEBHOOK_COLUMNS,
} from '#core/data/rows/row-columns.ts'
import { isOwned } from '#core/data/rows/row-owner.ts'
import { asJsonObject, selectAsJson } from '#core/data/rows/select-rows.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
beforeAll(async () => {
  database = await createTestDatabase()
  opened = openDatabase({ url: database.url, poolSize: 1, name: 'rows-for-clients' }, () => undefined)
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const owner = { account_id: '00000000-0000-7000-8000-000000000001' }
const agent = { ...owner, member_user_id: '00000000-0000-7000-8000-000000000002' }

type Columns = Readonly<Record<string, RawBuilder<unknown>>>
const SOURCES: readonly (readonly [table: RowTable, columns: Columns, from: RawBuilder<unknown>])[] = [
  ['client_webhook_configs', WEBHOOK_COLUMNS, sql`client_webhook_configs c`],
  ['webhook_delivery_logs', ATTEMPT_ROW, sql`webhook_delivery_logs g`],
  ['webhook_delivery_logs', WAITING_ROW, sql`webhook_deliveries d`],
  ['webhook_delivery_logs', CANCELLED_ROW, sql`webhook_deliveries d`],
  ['leads', leadColumns(owner), sql`leads l`],
  [
    'leads',
    embeddedLeadColumns(agent),
    sql`webhook_delivery_logs r join leads l on l.id = r.lead_id cross join ${lookUpEnd(agent)}`,
  ],
  ['client_balances', BALANCE_COLUMNS, sql`profiles p`],
]

test.each(SOURCES)(
  '%s has a column for each name, of the type that it tells',
  async (table, columns, from) => {
    expect(Object.keys(columns).toSorted()).toEqual(
      listColumns(table)
        .map(({ name }) => name)
        .toSorted(),
    )
    const types = listColumns(table).map(
      ({ name }) => sql`pg_typeof(${columns[name] ?? sql`null`})::text as ${sql.id(name)}`,
    )
    const { rows } = await sql<Record<string, string>>`
    select ${sql.join(types)} from (select) one left join ${from} on true`.execute(opened.db)
    const PLAIN: Readonly<Record<string, string>> = {
      boolean: 'bool',
      integer: 'int4',
      smallint: 'int4',
      'timestamp with time zone': 'timestamptz',
      json: 'jsonb',
    }
    const told = Object.fromEntries(listColumns(table).map(({ name, type }) => [name, type]))
    const found = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, type]) => [name, PLAIN[type] ?? type]),
    )
    expect(found).toEqual(told)
  },
)

test('the rows of an owner and of an agent can be selected from every table', async () => {
  const { db } = opened
  for (const whose of [owner, agent]) {
    await sql`select ${selectAsJson(WEBHOOK_COLUMNS)} from client_webhook_configs c
      where ${isOwned.client_webhook_configs(whose)}`.execute(db)
    await sql`select ${selectAsJson(leadColumns(whose))} from leads l where ${isOwned.leads(whose)}`.execute(
      db,
    )
    await sql`select ${selectAsJson(BALANCE_COLUMNS)} from profiles p
      where ${isOwned.client_balances(whose)}`.execute(db)
    await sql`select ${selectAsJson(ATTEMPT_ROW)} from webhook_delivery_logs g
      where ${isOwned.webhook_delivery_logs(whose)}`.execute(db)
    await sql`select ${asJsonObject(embeddedLeadColumns(whose))}::text as leads
      from webhook_delivery_logs r left join leads l on l.id = r.lead_id cross join ${lookUpEnd(whose)}`.execute(
      db,
    )
    await sql`select ${selectAsJson(WAITING_ROW)} from webhook_deliveries d
      where ${isOwned.webhook_delivery_logs(whose, 'd')}`.execute(db)
  }
})

test('no table has a column that holds a secret', () => {
  const names = ROW_TABLE_NAMES.flatMap((table) => listColumns(table).map(({ name }) => name))
  expect(names.filter((name) => /secret|key|certificate|authentication|hash|password/.test(name))).toEqual([])
})
