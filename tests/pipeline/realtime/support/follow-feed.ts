import { afterAll, afterEach, beforeAll } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { REALTIME_TABLES, type RealtimeTable } from '#core/contract/realtime/realtime-tables.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import type { RowChange } from '#server/realtime/feed/feed.ts'
import { openFeed } from '#server/realtime/feed/open-feed.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

/** The changes that one listener was told. */
export interface Heard {
  changes: RowChange[]
  /** number of times that it was told to read again */
  resyncs: number
  /** `TYPE id` of each change of a table, in their order */
  of: (table: RealtimeTable) => string[]
  /** Waits until this many changes have come. */
  count: (changes: number) => Promise<RowChange[]>
  close: () => void
}

/** A database, and feeds as servers open them. */
export interface Feeds {
  pipeline: TestPipeline
  /** accounts that will read the primary, because they were told of a change */
  told: readonly string[]
  /** Opens the feed of one more server, at the same database or another. */
  open: (databaseUrl?: string) => Feeds['follow']
  /** Follows on the first server until the test ends. */
  follow: (
    account: string,
    options?: { member?: string; tables?: readonly RealtimeTable[] },
  ) => Promise<Heard>
}

export function setUpFeeds(): Feeds {
  let pipeline: TestPipeline
  const ends: Array<() => Promise<void>> = []
  const following = new Set<Heard>()
  const told: string[] = []
  const writers = {
    note: async (accounts: readonly string[]) => void told.push(...accounts),
    has: async () => true,
  }
  const open: Feeds['open'] = (databaseUrl) => {
    const { env } = pipeline.environment
    const config = loadConfig({ ...env, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) })
    const { secrets } = pipeline.context
    const { part, close } = openFeed({ config, secrets, logger: createLogger('test', 'error'), writers })
    ends.push(close)
    return async (account, { member, tables = REALTIME_TABLES } = {}) => {
      const changes: RowChange[] = []
      const listener = { account_id: account, member_user_id: member, tables: new Set(tables) }
      const given = part.follow(
        listener,
        (some) => changes.push(...some),
        () => {
          heard.resyncs += 1
        },
      )
      const heard: Heard = {
        changes,
        resyncs: 0,
        of: (table) =>
          changes.flatMap(({ type, record, old_record, ...change }) =>
            change.table === table ? [`${type} ${String((record ?? old_record)?.['id'])}`] : [],
          ),
        count: async (wanted) => {
          await waitUntil(() => changes.length >= wanted, { what: `${wanted} changes` })
          return changes
        },
        close: given.close,
      }
      following.add(heard)
      await given.ready
      return heard
    }
  }
  let first: Feeds['follow'] | undefined
  beforeAll(async () => {
    pipeline = await startPipeline({}, { worker: false })
  })
  afterEach(() => {
    for (const { close } of following) close()
    following.clear()
  })
  afterAll(async () => {
    for (const close of ends) await close()
    await pipeline.close()
  })
  return {
    get pipeline() {
      return pipeline
    },
    told,
    open,
    follow: async (...given) => await (first ??= open())(...given),
  }
}
