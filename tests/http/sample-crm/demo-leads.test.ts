import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDemoLeads } from '#scripts/demo-market/demo-leads.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** A server that takes leads, and where the demo's market is told of. */
async function givenMarket() {
  const folder = await makeThrowAwayFolder('demo-leads')
  const server = await startReceiver()
  const marketFile = path.join(folder, 'demo-market.json')
  onTestFinished(async () => {
    await server.close()
    await removeThrowAwayFolder(folder)
  })
  const tell = () =>
    writeFile(marketFile, JSON.stringify({ server: server.url, sourceKey: 'lw_src_demo', clients: [] }))
  return { server, marketFile, tell }
}

async function open(marketFile: string) {
  const leads = await openDemoLeads({ marketFile, everyMs: 20, onChange: () => undefined })
  onTestFinished(() => leads.close())
  return leads
}

test('a fictional lead comes now and then, as soon as there is a market; not while it is paused, and over a start with the next', async () => {
  const { server, marketFile, tell } = await givenMarket()
  const first = await open(marketFile)
  expect(first.state()).toBeUndefined()
  await tell()
  const [lead] = await server.waitForCount(3)
  expect(lead).toMatchObject({ path: '/api/v1/leads', headers: { authorization: 'Bearer lw_src_demo' } })

  await first.pause(true)
  const { sent } = await waitUntil(() => first.state())
  await waitUntil(() => server.requests.length >= sent)
  first.close()
  const second = await open(marketFile)
  expect(await waitUntil(() => second.state())).toMatchObject({ isPaused: true, sent: 0 })
  await second.pause(false)
  await server.waitForCount(sent + 2)
  const ids = server.requests.map(({ body }) => (JSON.parse(body) as { external_id: string }).external_id)
  expect(new Set(ids.slice(0, sent + 2)).size).toBe(sent + 2)
})

test('a lead that the server does not take is posted again', async () => {
  const { server, marketFile, tell } = await givenMarket()
  server.answerWith((_request, index) => (index === 0 ? 503 : 201))
  await tell()
  await open(marketFile)
  const [refused, again] = await server.waitForCount(2)
  expect(again?.body).toContain((JSON.parse(refused?.body ?? '{}') as { external_id: string }).external_id)
})
