import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#core/data/database.ts'
import { REPLAY_PIECE } from '#core/data/webhooks/deliveries/replay-pieces.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startServer, type LabServer } from '#scripts/lab/start-product.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { insertDue } from '#tests/support/given/neighbours.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const PIECE = REPLAY_PIECE
const FAILED = 4 * PIECE

const signedUpSchema = z.object({ access_token: z.string(), user: z.object({ id: z.uuid() }) })

let environment: LabEnvironment
let server: LabServer
let database: { db: Kysely<Database>; close: () => Promise<void> }
beforeAll(async () => {
  environment = await createTestEnvironment()
  server = await startServer(environment.env)
  const options = { url: environment.databaseUrl, poolSize: 2, name: 'test', silenceMs: 20_000 }
  database = openDatabase(options, (error) => {
    throw error
  })
})
afterAll(async () => {
  await server.stop()
  await database.close()
  await environment.close()
})

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return await answer.json()
}

async function countResent(): Promise<{ made: number; of: number }> {
  const { rows } = await sql<{ made: number; of: number }>`
    select count(*)::int as made, count(distinct resend_of)::int as of from webhook_deliveries where resend_of is not null
  `.execute(database.db)
  return rows[0] ?? { made: 0, of: 0 }
}

test('after a server is killed during a replay, a repeated request sends the rest, and nothing twice', async () => {
  const { db } = database
  const { access_token: token, user } = signedUpSchema.parse(
    await post('/auth/v1/signup', {
      email: 'replayer@example.com',
      password: PASSWORD,
    }),
  )
  const bearer = { authorization: `Bearer ${token}` }
  const { id } = z
    .object({ id: z.uuid() })
    .parse(
      await post(
        '/api/v1/webhook-configs',
        { webhook_name: 'CRM', endpoint_url: 'https://crm.example.com/' },
        bearer,
      ),
    )
  await insertDue(db, user.id, FAILED)
  await sql`
    update webhook_deliveries set state = 'failed', attempt = 8, next_attempt_at = null, finished_at = now()
    where client_user_id = ${user.id}`.execute(db)
  const body = { since: new Date(Date.now() - 3_600_000).toISOString() }
  const replay = () =>
    post(`/api/v1/webhook-configs/${id}/resend-failed`, body, {
      ...bearer,
      'Idempotency-Key': 'killed',
    })

  // The replay reaches a lead of its last chunk, whose row is locked until the server is dead.
  const broken = await db.transaction().execute(async (trx) => {
    await sql`
      select from leads where id = (select lead_id from webhook_deliveries order by finished_at desc, id desc limit 1) for update
    `.execute(trx)
    const replaying = replay().catch((error: unknown) => error)
    await waitUntil(async () => (await countResent()).made === FAILED - PIECE, {
      what: 'All pieces but the last',
    })
    await server.kill()
    return await replaying
  })
  expect(broken).toBeInstanceOf(Error)
  await server.restart()

  expect((await countResent()).made).toBe(FAILED - PIECE)
  expect(await replay()).toMatchObject({ count: FAILED, resent: FAILED })
  expect(await countResent()).toEqual({ made: FAILED, of: FAILED })
})
