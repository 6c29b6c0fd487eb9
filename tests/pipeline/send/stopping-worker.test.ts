import { expect, test, vi, type TestContext } from 'vitest'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

vi.setConfig({ testTimeout: 60_000 })

type Room = 'quick' | 'silent' | 'other'

/** Creates three clients with one endpoint each; only the quick one answers before `endSilence`. */
async function setUp(context: TestContext) {
  const { pipeline, worker } = await setUpCrashPoint(context, { env: { WEBHOOK_TIMEOUT_MS: '15000' } })
  const silence = Promise.withResolvers<void>()
  const crm = await startReceiver(({ path }) =>
    path === '/quick' ? 200 : { status: 200, after: silence.promise },
  )
  context.onTestFinished(() => crm.close())
  const given = async (room: Room): Promise<string> => {
    const client = await givenClient(pipeline.db)
    const endpoint_url = `${crm.url}/${room}`
    await givenConfig(pipeline.context, client, { endpoint_url, trigger_on_lead_created: true })
    return client
  }
  const clients = { quick: await given('quick'), silent: await given('silent'), other: await given('other') }
  const arrived = (room: Room): number => crm.requests.filter(({ path }) => path === `/${room}`).length
  const sendLead = async (room: Room): Promise<void> =>
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, clients[room]))
  const sendArriving = async (room: Room): Promise<void> => {
    const before = arrived(room)
    await sendLead(room)
    await waitUntil(() => arrived(room) > before, { what: `a ${room} lead arriving`, timeoutMs: 5000 })
  }
  return { worker, arrived, sendLead, sendArriving, endSilence: silence.resolve }
}

test('a worker that stops beside a silent endpoint continues for answering endpoints, and leaves the rest to the next worker', async (context) => {
  const { worker, arrived, sendLead, sendArriving, endSilence } = await setUp(context)
  const first = await worker()
  await sendArriving('quick')
  await sendArriving('silent')
  const stopped = first.stop()
  await waitUntil(() => first.output().includes('worker stops'), { what: 'the worker being told to stop' })
  await sendLead('other')
  for (let count = 0; count < 3; count += 1) await sendArriving('quick')
  expect(first.isRunning()).toBe(true)
  endSilence()
  expect(await stopped).toBe(0)
  expect({ silent: arrived('silent'), other: arrived('other') }).toEqual({ silent: 1, other: 0 })

  await worker()
  await waitUntil(() => arrived('other') === 1, { what: 'the next worker sending what was left' })
})

test('if two workers stop together, the one with a silent endpoint still sends', async (context) => {
  const { worker, sendArriving, endSilence } = await setUp(context)
  const both = [await worker(), await worker()]
  await sendArriving('quick')
  await sendArriving('silent')
  const stopped = Promise.all(both.map((one) => one.stop()))
  await waitUntil(() => both.some((one) => !one.isRunning()), { what: 'the other one being gone' })
  await sendArriving('quick')
  endSilence()
  expect(await stopped).toEqual([0, 0])
})
