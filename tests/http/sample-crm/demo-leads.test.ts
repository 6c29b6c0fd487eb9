import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDemoLeads } from '#scripts/demo-market/demo-leads.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { waitUntil } from '#tests/support/condition.ts'

/** Creates a server that takes leads and a file that tells of the demo's market. */
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

function externalId(request: { body: string } | undefined): string {
  return (JSON.parse(request?.body ?? '{}') as { external_id: string }).external_id
}

test('fictional leads arrive now and then once there is a market, but not while it is paused', async () => {
  const { server, marketFile, tell } = await givenMarket()
  const first = await open(marketFile)
  expect(first.state()).toBeUndefined()
  await tell()
  const [lead] = await server.waitForCount(3)
  expect(lead).toMatchObject({ path: '/api/v1/leads', headers: { authorization: 'Bearer lw_src_demo' } })

  await first.pause(true)
  const { sent } = await waitUntil(() => first.state())
  await waitUntil(() => server.requests.length >= sent)
  await first.close()
  const second = await open(marketFile)
  expect(await waitUntil(() => second.state())).toMatchObject({ isPaused: true, sent: 0 })
  await second.pause(false)
  await server.waitForCount(sent + 2)
  const ids = server.requests.map(externalId)
  expect(new Set(ids.slice(0, sent + 2)).size).toBe(sent + 2)
})

test('a source that stops while a lead is in flight continues with the next lead', async () => {
  const { server, marketFile, tell } = await givenMarket()
  server.answerWith({ status: 201, delayMs: 200 })
  await tell()
  const first = await open(marketFile)
  await server.waitForCount(1)
  await first.close()
  await open(marketFile)
  const [one, two] = await server.waitForCount(2)

  expect(externalId(two)).not.toBe(externalId(one))
})

test('the last pause or resume counts, however quickly they follow each other', async () => {
  const { marketFile, tell } = await givenMarket()
  await tell()
  const first = await open(marketFile)
  await Promise.all(Array.from({ length: 101 }, (_wish, index) => first.pause(index % 2 === 0)))
  await first.close()

  expect(await waitUntil((await open(marketFile)).state)).toMatchObject({ isPaused: true })
})

test('a pause before the first poll applies to the market that already exists', async () => {
  const { marketFile, tell } = await givenMarket()
  await tell()
  const leads = await openDemoLeads({ marketFile, everyMs: 20_000, onChange: () => undefined })
  await leads.pause(true)

  expect(leads.state()).toMatchObject({ isPaused: true, sent: 0 })
  await leads.close()
})

test('a half-written file does not prevent the start', async () => {
  const { server, marketFile, tell } = await givenMarket()
  await tell()
  await writeFile(`${marketFile}.progress`, '{"next":1')
  await open(marketFile)

  await server.waitForCount(1)
})

test('a lead that the server refuses is posted again', async () => {
  const { server, marketFile, tell } = await givenMarket()
  server.answerWith((_request, index) => (index === 0 ? 503 : 201))
  await tell()
  await open(marketFile)
  const [refused, again] = await server.waitForCount(2)
  expect(externalId(again)).toBe(externalId(refused))
})

test('after an hour of leads they come less often, and do not end', async () => {
  const { server, marketFile, tell } = await givenMarket()
  await tell()
  const leads = await openDemoLeads({ marketFile, everyMs: 20, atFirst: 2, onChange: () => undefined })
  onTestFinished(() => leads.close())
  await server.waitForCount(4)
  expect(leads.state()).toMatchObject({ isPaused: false, everySeconds: 0.12 })
})
