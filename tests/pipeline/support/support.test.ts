import pg from 'pg'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/services/database.ts'
import type { TestDatabase } from '#tests/support/services/database.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startPrivateRedis, testRedisUrl } from '#tests/support/services/redis.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

test('a test database is migrated and empty, and no other file sees what is written to it', async () => {
  const other = await createTestDatabase()
  await query(database.url, 'create table only_here ()')
  expect(await query(database.url, 'select count(*)::int as leads from leads')).toEqual([{ leads: 0 }])
  expect(await query(other.url, "select to_regclass('only_here') as found")).toEqual([{ found: null }])
  await other.drop()
})

test('the shared Redis refuses to evict keys when memory is short', async () => {
  const redis = new Redis(testRedisUrl())
  expect(await redis.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction'])
  redis.disconnect()
})

test('a private Redis comes back on the same address with its data', async () => {
  const server = await startPrivateRedis()
  const redis = new Redis(server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null })
  redis.on('error', () => undefined)
  await redis.set('kept', 'yes')
  await server.stop()
  await server.start()
  expect(await redis.get('kept')).toBe('yes')
  redis.disconnect()
  await server.close()
})

test('the receiver keeps the exact bytes, and answers by its script', async () => {
  const receiver = await startReceiver((_request, index) =>
    index === 0 ? 500 : { status: 201, body: 'made' },
  )
  const send = () => fetch(`${receiver.url}/hook?a=1`, { method: 'PUT', body: 'é\u0000"' })
  expect((await send()).status).toBe(500)
  const second = await send()
  expect([second.status, await second.text()]).toEqual([201, 'made'])
  const [first] = await receiver.waitForCount(2)
  expect(first).toMatchObject({ method: 'PUT', path: '/hook?a=1', rawBody: Buffer.from('é\u0000"') })
  await receiver.close()
})
