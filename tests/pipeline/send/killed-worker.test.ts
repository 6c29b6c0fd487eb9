import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { now } from '#scripts/lab/now.ts'
import { longestGap } from '#scripts/lab/receiver/read-receipts.ts'
import { givenClient, givenConfig, givenLead, publishEventsOfLead } from '#tests/support/given/pipeline.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

vi.setConfig({ testTimeout: 120_000 })

const CLIENTS = 3
const EVERY_MS = 100
const BEFORE = 20
const AFTER = 50
const MOST_SILENT_MS = 3000

test('a worker that is killed with deliveries of every client in flight delays no client for long while another worker runs', async (context) => {
  const { pipeline, crm, worker } = await setUpCrashPoint(context)
  // Slow enough that each worker always holds some deliveries of each client.
  crm.answerWith({ status: 200, delayMs: 300 })
  const clients: string[] = []
  for (let index = 0; index < CLIENTS; index += 1) {
    const client = await givenClient(pipeline.db)
    const endpoint_url = `${crm.url}/${client}`
    await givenConfig(pipeline.context, client, { endpoint_url, trigger_on_lead_created: true })
    clients.push(client)
  }
  const [doomed] = [await worker(), await worker()]
  const arrivalsOf = (client: string) =>
    crm.requests.filter(({ path }) => path === `/${client}`).map(({ receivedAt: at }) => ({ at }))
  const sendLeads = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const begun = now()
      await Promise.all(
        clients.map(async (client) =>
          publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client)),
        ),
      )
      await sleep(Math.max(0, EVERY_MS - (now() - begun)))
    }
  }

  await sendLeads(BEFORE)
  await Promise.all(clients.map(() => crm.waitForCount(CLIENTS * BEFORE)))
  const killedAt = now()
  const killing = sendLeads(1).then(() => doomed.kill())
  await sendLeads(AFTER)
  await killing
  const until = now()

  for (const client of clients) {
    expect(longestGap(arrivalsOf(client), { from: killedAt, until })).toBeLessThan(MOST_SILENT_MS)
  }
})
