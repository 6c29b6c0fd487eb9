import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidMs } from '#core/domain/uuid-at.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

test('an id that the database makes contains the time of its creation', async () => {
  const { rows } = await sql<{ before: string; id: string; after: string }>`
    select extract(epoch from clock_timestamp()) * 1000 as before, uuid_v7() as id,
      extract(epoch from clock_timestamp()) * 1000 as after
    from generate_series(1, 100)`.execute(pipeline.db)
  for (const { before, id, after } of rows) {
    expect(uuidMs(id)).toBeGreaterThanOrEqual(Number(before) - 1)
    expect(uuidMs(id)).toBeLessThanOrEqual(Number(after) + 1)
  }
})
