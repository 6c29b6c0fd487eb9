import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenClient, givenConfig, givenLead, startPipeline } from '#tests/support/given/pipeline.ts'
import type { TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

/** Tables whose rows are never deleted. */
const KEPT = ['leads', 'sources']
/**
 * An index on these would cost every lead, and only the deletion of an account would use it; an account with
 * leads cannot be deleted.
 */
const READ_WHOLE = ['lead_assignments.client_user_id', 'leads.user_id']

test('each reference to a row that may be deleted has an index', async () => {
  const { rows } = await sql<{ found: string }>`
    select format('%s.%s', c.conrelid::regclass, a.attname) as found
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid <> all(${KEPT}::regclass[]) and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indisvalid and i.indkey[0] = c.conkey[1]
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))
    order by 1`.execute(pipeline.db)

  expect(rows.map(({ found }) => found)).toEqual(READ_WHOLE)
})

test('an index finds the deliveries of a deleted webhook, whatever their status', async () => {
  const { db, context } = pipeline
  const owner = await givenClient(db)
  const [busy, idle] = [
    await givenConfig(context, owner, { endpoint_url: 'https://crm.example.com' }),
    await givenConfig(context, owner, { endpoint_url: 'https://crm.example.com' }),
  ]
  const lead = await givenLead(db, owner)
  await sql`
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of, state)
    select new.id, e.id, e.type, ${busy.id}, ${owner}, ${lead}, new.id, 'delivered'
    from events e cross join lateral (select gen_random_uuid() as id from generate_series(1, 20000) where e.id is not null) new
    where e.lead_id = ${lead}`.execute(db)
  await sql`analyze webhook_deliveries`.execute(db)
  // Asks for the plan that a cascade uses. A worker's connections avoid scans, a server's do not.
  const plan = await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = on`.execute(trx)
    const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
      explain (format json) delete from only webhook_deliveries where ${sql.lit(idle.id)}::uuid = webhook_config_id`.execute(
      trx,
    )
    return JSON.stringify(rows)
  })

  expect(plan).toContain('webhook_deliveries_config')
  expect(plan).not.toContain('Seq Scan')
})
