import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteWebhooks } from '#core/data/webhooks/delete-webhooks.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'

const WEBHOOKS = 300
const LEADS = 6
const DELETERS = 8

const logLines = (output: string): { level: number; msg: string }[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string })

async function sendLead({ pipeline, client }: CrashPoint): Promise<void> {
  await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
}
const remove = ({ pipeline, client }: CrashPoint, id: string) =>
  pipeline.db.transaction().execute((trx) => deleteWebhooks(trx, client, [id]))
const listWebhooks = async ({ pipeline, client }: CrashPoint) =>
  (
    await pipeline.db
      .selectFrom('client_webhook_configs')
      .select('id')
      .where('client_user_id', '=', client)
      .execute()
  ).map(({ id }) => id)
const countLogs = async ({ ledger }: CrashPoint) => (await ledger()).logs

test('deleting a webhook with requests in flight causes no alarm, and their attempts are in the log', async (context) => {
  const point = await setUpCrashPoint(context, { env: { WEBHOOK_TIMEOUT_MS: '30000' } })
  const { crm, pipeline } = point
  const deleting = Promise.withResolvers<void>()
  // The first is answered at once, because an endpoint that has never answered gets few slots.
  crm.answerWith((_request, index) => (index === 0 ? 200 : { status: 200, after: deleting.promise }))
  const worker = await point.worker()
  await sendLead(point)
  await waitUntil(async () => (await countLogs(point)) === 1, { what: 'The first attempt in the log' })
  for (let sent = 0; sent < 3; sent += 1) await sendLead(point)
  await crm.waitForCount(4)
  const [config = ''] = await listWebhooks(point)

  expect(await remove(point, config)).toEqual([config])
  deleting.resolve()

  await waitUntil(async () => (await countLogs(point)) === 4, { what: 'Every attempt in the log' })
  await waitUntil(() => worker.output().includes('attempts logged'), { what: 'The worker saying so' })
  const told = logLines(worker.output()).filter(({ msg }) => /attempts? logged|lease lost/.test(msg))
  expect(told).toMatchObject([
    { level: 30, msg: 'a webhook was deleted while requests to it were under way; attempts logged' },
  ])
  const events = await pipeline.db
    .selectFrom('events')
    .select('type')
    .where('type', '=', 'delivery.succeeded')
    .execute()
  expect(events).toHaveLength(4)
})

test('hundreds of webhooks with deliveries in flight are deleted by several callers at once, and no request is aborted', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, client, crm } = point
  // Some switch themselves off at that moment, by a 410.
  crm.answerWith((request) => (request.path.endsWith('/gone') ? 410 : 200))
  for (let made = 0; made < WEBHOOKS; made += 1) {
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/${made % 3 === 0 ? 'gone' : 'there'}`,
      trigger_on_lead_created: true,
    })
  }
  const worker = await point.worker()
  for (let sent = 0; sent < LEADS; sent += 1) await sendLead(point)
  await crm.waitForCount(WEBHOOKS / 4)

  const webhooks = await listWebhooks(point)
  const deleteSome = async (): Promise<void> => {
    for (let id = webhooks.pop(); id !== undefined; id = webhooks.pop()) await remove(point, id)
  }
  await Promise.all(Array.from({ length: DELETERS }, deleteSome))

  expect(await listWebhooks(point)).toEqual([])
  await waitUntil(async () => (await countLogs(point)) === crm.requests.length, {
    what: 'Every attempt in the log',
  })
  const { rows } = await sql<{ left: number }>`
    select ((select count(*) from webhook_deliveries) + (select count(*) from events where failures > 0))::int as left
  `.execute(pipeline.db)
  expect(rows).toEqual([{ left: 0 }])
  // An owner whose webhook a 410 has just switched off gets a mail; a plan that meets a deletion for 250 ms
  // is repeated.
  const expectedLines = ['endpoint notice', 'somebody has locked what a job needs; it is repeated']
  const alarms = logLines(worker.output()).filter(
    ({ level, msg }) => level >= 40 && !expectedLines.includes(msg),
  )
  expect(alarms).toEqual([])
})
