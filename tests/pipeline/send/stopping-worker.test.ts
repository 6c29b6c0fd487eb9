import { expect, test, vi } from 'vitest'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { givenClient, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

vi.setConfig({ testTimeout: 60_000 })

test('a worker that stops while an endpoint is silent goes on for those that answer, and leaves the rest to the next one', async (context) => {
  const { pipeline, worker } = await setUpCrashPoint(context, { env: { WEBHOOK_TIMEOUT_MS: '15000' } })
  const silence = Promise.withResolvers<void>()
  const crm = await startReceiver(({ path }) =>
    path === '/quick' ? 200 : { status: 200, after: silence.promise },
  )
  context.onTestFinished(() => crm.close())
  const given = async (room: string): Promise<string> => {
    const client = await givenClient(pipeline.db)
    await givenConfig(pipeline.context, client, {
      endpoint_url: `${crm.url}/${room}`,
      trigger_on_lead_created: true,
    })
    return client
  }
  const [quick, silent, other] = [await given('quick'), await given('silent'), await given('other')]
  const sendLead = async (client: string): Promise<void> =>
    await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  const arrived = (room: string): number => crm.requests.filter(({ path }) => path === `/${room}`).length

  const first = await worker()
  await sendLead(quick)
  await waitUntil(() => arrived('quick') === 1, { what: 'the quick endpoint having answered' })
  await sendLead(silent)
  await waitUntil(() => arrived('silent') === 1, { what: 'the silent endpoint being asked' })
  const stopped = first.stop()
  await waitUntil(() => first.output().includes('worker stops'), { what: 'the worker being told to stop' })
  await sendLead(other)
  for (let count = 2; count <= 4; count += 1) {
    await sendLead(quick)
    await waitUntil(() => arrived('quick') === count, { what: `lead ${count} arriving`, timeoutMs: 5000 })
  }
  expect(first.isRunning()).toBe(true)
  silence.resolve()
  expect(await stopped).toBe(0)
  expect({ silent: arrived('silent'), other: arrived('other') }).toEqual({ silent: 1, other: 0 })

  await worker()
  await waitUntil(() => arrived('other') === 1, { what: 'the next worker sending what was left' })
})
