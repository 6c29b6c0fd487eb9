import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import {
  serviceFolder,
  startBreakablePostgres,
  type BreakableService,
} from '#scripts/lab/breakable-services.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { givenClient, givenLead } from '#tests/support/given/pipeline.ts'
import { setUpFeeds } from './support/follow-feed.ts'

const feeds = setUpFeeds()
let folder: string
let postgres: BreakableService
beforeAll(async () => {
  folder = await makeThrowAwayFolder('feed')
  postgres = await startBreakablePostgres(await serviceFolder(folder, 'postgresql'))
  await migrateDatabase(postgres.url)
})
afterAll(async () => {
  await postgres.stop()
  await removeThrowAwayFolder(folder, 'postgresql/postgres')
})

test('a listener hears of what is committed after PostgreSQL crashed and is back, without following again', async () => {
  const { db, close } = openDatabase({ url: postgres.url, poolSize: 2, name: 'test' }, () => undefined)
  try {
    const client = await givenClient(db)
    const heard = await feeds.open(postgres.url)(client)
    const first = await givenLead(db, client)
    await heard.count(1)
    // Committed in the moment of the crash: the feed may not have asked yet.
    const last = await givenLead(db, client)
    await postgres.crash()
    await postgres.start()
    const after = await givenLead(db, client)
    await heard.count(3)
    expect(heard.of('leads')).toEqual([first, last, after].map((lead) => `INSERT ${lead}`))
    expect(heard.resyncs).toBe(0)
  } finally {
    await close()
  }
})
