import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { judgeEndpoints } from '#worker/housekeeping/endpoints/judge-endpoints.ts'
import { sendDueMails } from '#tests/support/given/due-mails.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { givenHealth } from './notice-rows.ts'

const { warnAfterFailures } = ENDPOINT_RULE
const FAILING = { failures: warnAfterFailures, failingHours: 1, failedHoursAgo: [] }

/**
 * Prepares tests about webhook mails without a worker: an administrator, a new client for each test, and
 * steps for both.
 */
export function prepareNotices() {
  let pipeline: TestPipeline
  let admin: string
  let client: string

  beforeAll(async () => {
    pipeline = await startPipeline({ LOG_LEVEL: 'error' }, { worker: false })
    admin = await givenClient(pipeline.db, 'admin')
  })
  afterAll(() => pipeline.close())
  beforeEach(async () => {
    await sql`delete from client_webhook_configs`.execute(pipeline.db)
    await sql`delete from mails`.execute(pipeline.db)
    client = await givenClient(pipeline.db)
  })

  const db = () => pipeline.db
  const who = () => ({ pipeline, db: pipeline.db, admin, client })
  const both = () => [client, admin].toSorted()
  const twice = () => [client, client, admin, admin].toSorted()

  async function givenConfigOf(owner: string): Promise<string> {
    const { id } = await givenConfig(pipeline.context, owner, {
      endpoint_url: 'https://crm.example.com/leads',
    })
    return id
  }

  /** Judges endpoints and sends due mails, as the worker does each minute. */
  async function judgeAndSend(): Promise<void> {
    await judgeEndpoints(pipeline.context)
    await sendDueMails(pipeline.context)
  }

  /** Moves everything written so far into the past, and sends due mails. */
  async function pass(minutes: number): Promise<void> {
    await age(minutes)
    await sendDueMails(pipeline.context)
  }

  async function age(minutes: number): Promise<void> {
    const ago = sql`make_interval(mins => ${minutes})`
    await sql`update mails set created_at = created_at - ${ago}, sent_at = sent_at - ${ago}, next_try_at = next_try_at - ${ago}`.execute(
      db(),
    )
    await sql`update webhook_endpoint_notices set created_at = created_at - ${ago}, spell_at = spell_at - ${ago}`.execute(
      db(),
    )
    await sql`update webhook_endpoint_health set failing_since = failing_since - ${ago}, warned_at = warned_at - ${ago}`.execute(
      db(),
    )
    await sql`update client_webhook_configs set disabled_at = disabled_at - ${ago}`.execute(db())
  }

  async function fail(config: string): Promise<void> {
    await sql`update webhook_endpoint_health set failures_in_row = ${warnAfterFailures}, failing_since = now()
      where webhook_config_id = ${config}`.execute(db())
    await judgeAndSend()
  }

  async function work(config: string): Promise<void> {
    await sql`update webhook_endpoint_health set failures_in_row = 0, failing_since = null, last_success_at = now()
      where webhook_config_id = ${config}`.execute(db())
    await judgeAndSend()
  }

  async function switchOff(config: string): Promise<void> {
    await sql`update client_webhook_configs set is_active = false, disabled_at = now(), disabled_reason = '410: gone'
      where id = ${config}`.execute(db())
    await judgeAndSend()
  }

  const failAll = async (configs: readonly string[]) => {
    for (const config of configs) {
      await givenHealth(db(), config, FAILING)
      await judgeAndSend()
    }
  }

  return { who, both, twice, givenConfigOf, age, pass, judgeAndSend, fail, failAll, work, switchOff }
}
