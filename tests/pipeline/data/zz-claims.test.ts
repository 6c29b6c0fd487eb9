import { sql, CompiledQuery } from 'kysely'
import { test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { claimDeliveries } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { findDueEndpoints } from '#core/data/webhooks/deliveries/find-due-endpoints.ts'
import { createTestDatabase } from '#tests/support/services/database.ts'
test('claims with plans kept from when nothing waited', async () => {
  const database = await createTestDatabase()
  const { db, close } = openDatabase({ url: database.url, poolSize: 1, name: 'x', byKey: true }, () => undefined)
  const ids = Array.from({ length: 1000 }, (_, i) => `00000000-0000-4000-9000-${String(i + 1).padStart(12, '0')}`)
  await sql`alter table webhook_deliveries disable trigger all`.execute(db)
  await sql`insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', '1@example.com')`.execute(db)
  await sql`insert into profiles (user_id, email, name, role) select id, email, 'x', 'client' from auth.users on conflict do nothing`.execute(db)
  await sql`insert into client_webhook_configs (id, client_user_id, webhook_name, endpoint_url, payload_template, signing_secret)
    select id, '00000000-0000-4000-8000-000000000001', 'w', 'https://example.com/x', '{}', 's' from unnest(${ids}::uuid[]) id`.execute(db)
  await sql`analyze`.execute(db)
  const ask = (n: number) => claimDeliveries(db, ids.slice(0, n).map((id) => ({ webhook_config_id: id, most: 5, most_yielding: 2, yielding_first: false })), 20)
  const t = async (what: string, work: () => Promise<unknown>) => {
    const times = []
    for (let i = 0; i < 7; i++) { const at = performance.now(); await work(); times.push(Math.round(performance.now() - at)) }
    console.log(what, times.join(' '), 'ms')
  }
  const all = async (when: string) => {
    await t(`${when} claim 5`, () => ask(5))
    await t(`${when} claim 25`, () => ask(25))
    await t(`${when} look`, () => findDueEndpoints(db, null))
  }
  await all('nothing waits')
  for (let a = 0; a < 4; a++) await db.executeQuery(CompiledQuery.raw(`insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, next_attempt_at)
    select gen_random_uuid(), 'lead.created', ('00000000-0000-4000-9000-'||lpad((1 + i % 3)::text,12,'0'))::uuid, '00000000-0000-4000-8000-000000000001', gen_random_uuid(), 'pending', i % 7 / 6, now() - random() * interval '1 hour' from generate_series(1, 50000) i`))
  await all('200k at 3, stale')
  await sql`analyze`.execute(db)
  await all('200k at 3, analysed')
  await close(); await database.drop()
}, 300_000)
