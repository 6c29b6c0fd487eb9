import { sql, type Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { listMigrationFiles } from '#core/migrations.ts'
import { lintMigrations } from '#scripts/migrations/lint-migrations.ts'

/** The last migration from before these rules. */
const JUDGED_AFTER = '20261130006010-mark-exports-of-administrators'

test('no migration stops leads or takes away what the previous version uses', async () => {
  expect(listMigrationFiles().map(({ name }) => name)).toContain(JUDGED_AFTER)
  expect(await lintMigrations(JUDGED_AFTER)).toEqual([])
})

/** Lints migrations of these statements, each group a migration. */
async function lint(groups: readonly (readonly string[])[], options: object = {}): Promise<string[]> {
  const migrations = groups.map((statements, index) => {
    const up = async (db: Kysely<unknown>) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
    }
    return [`2${index}`, { up, ...options }] as const
  })
  return await lintMigrations('1', Object.fromEntries(migrations))
}

test.each([
  ['create index on leads (name)', /add index.*build it concurrently/],
  ['drop index leads_by_x', /drop index leads_by_x: takes the lock access exclusive outside/],
  ['alter table leads add column x uuid default gen_random_uuid()', /writes the whole table anew/],
  ['alter table leads add column x bigserial', /writes the whole table anew/],
  ['alter table leads alter column name type varchar(10)', /writes the whole table anew/],
  ['alter table events add constraint c check (id is not null)', /add check c: reads the whole table/],
  ['alter table events alter column id set not null', /set not null id: reads the whole table/],
  [
    'alter table leads add constraint f foreign key (user_id) references profiles (id)',
    /add foreign f: reads/,
  ],
  ['alter table leads add constraint u unique (name)', /add unique u: stops writers/],
  ['update leads set name = lower(name)', /changes rows of a large table/],
  ['alter table orders drop column name', /orders: drop column name: the previous version may use it/],
  ['alter table orders rename column name to title', /orders: rename name: the previous version/],
  ['alter table orders add column x text not null', /orders: add column x: the previous version/],
  ['drop table orders', /orders: drop the table: the previous version/],
  [`do $$ begin execute 'alter table leads add x int'; end $$`, /a block of code.*write its statements out/],
  ['vacuum full leads', /a rebuild of a table or index/],
  [
    'with old as (delete from leads returning id) select count(*) from old',
    /leads: delete rows: changes rows/,
  ],
  [
    'insert into t with moved as (update events set data = data returning id) select id from moved',
    /events: update/,
  ],
  ['drop function assign_lead(uuid)', /assign_lead: drop the function: the previous version may use it/],
  ['drop view leads_of_today', /leads_of_today: drop the view: the previous version/],
  ['drop schema auth cascade', /auth: drop the schema: the previous version/],
  ['alter table leads set schema old', /a statement of the kind alter object schema/],
  ['merge into leads using t on false when not matched then do nothing', /a statement of the kind merge/],
  ["set local lock_timeout = '5s'", /a lock_timeout of its own/],
])('refuses: %s', async (statement, risk) => {
  const isIndex = statement.startsWith('drop index')
  const found = await lint(
    isIndex ? [['create index concurrently leads_by_x on leads (x)', statement]] : [[statement]],
    isIndex ? { isOutsideTransaction: true } : {},
  )
  expect(found).toEqual([expect.stringMatching(risk)])
})

test.each([
  [
    'a new table, its index and its rows',
    [['create table t (a int)', 'create index on t (a)', 'update t set a = 1']],
  ],
  [
    'a column with one value for all rows',
    [[`alter table leads add column at timestamptz not null default now()`]],
  ],
  [
    'a check that is validated later',
    [
      ['alter table leads add constraint c check (name is not null) not valid'],
      ['alter table leads validate constraint c'],
    ],
  ],
  [
    'no null, once a check says so',
    [
      ['alter table leads add constraint c check (name is not null) not valid'],
      ['alter table leads validate constraint c'],
      ['alter table leads alter column name set not null'],
    ],
  ],
  ['a trigger', [['create trigger t after insert on leads for each row execute function f()']]],
])('accepts %s', async (_what, groups) => {
  expect(await lint(groups)).toEqual([])
})

test('accepts an index that is built concurrently, and a column that no version uses any more', async () => {
  expect(
    await lint([['create index concurrently i on leads (name)']], { isOutsideTransaction: true }),
  ).toEqual([])
  expect(await lint([['alter table leads drop column name']], { unusedSince: '0.2.0' })).toEqual([])
})
