import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import express from 'express'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { TrustedProxies } from '#core/config/trusted-proxies.ts'
import { readCaller, type Caller } from '#server/identity/caller.ts'
import { createProxyWatch } from '#server/http/watch-proxies.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Answers with what the server knows of its caller; the peer is this machine's loopback. */
async function open(trustProxy: TrustedProxies) {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>)
      done()
    },
  })
  let now = 0
  const proxies = createProxyWatch(pino(sink), () => now)
  const app = express()
  app.set('trust proxy', trustProxy)
  app.use(proxies.watch)
  app.use((request, response) => {
    response.json(readCaller(request))
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = async (headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers })
    return (await answer.json()) as Caller
  }
  const pass = (minutes: number) => {
    now += minutes * 60_000
  }
  return { ask, lines, pass, seen: proxies.seen }
}

test('a proxy of a named network is believed, as far back as proxies are named', async () => {
  const { ask, seen, lines } = await open(['loopback', '10.0.0.0/8'])
  const through = await ask({ 'X-Forwarded-For': '192.0.2.66, 198.51.100.9, 10.1.2.3' })
  expect(through.ip).toBe('198.51.100.9')
  expect(through.proxy).toBeUndefined()
  expect({ seen: seen(), lines }).toEqual({ seen: [], lines: [] })
})

test('an address outside of the named networks is not believed, and noticed', async () => {
  const { ask, seen } = await open(['10.0.0.0/8'])
  const through = await ask({ 'X-Forwarded-For': '192.0.2.66, 198.51.100.9' })
  expect(through).toMatchObject({ ip: '127.0.0.1', proxy: { peer: '127.0.0.1', claimed: '198.51.100.9' } })
  expect(seen()).toEqual(['127.0.0.1'])
})

test('a request that nobody forwarded is no sign of a proxy', async () => {
  const { ask, seen } = await open(0)
  expect((await ask()).proxy).toBeUndefined()
  expect(seen()).toEqual([])
})

test.each([{ 'X-Forwarded-For': '198.51.100.9' }, { Forwarded: 'for=198.51.100.9;proto=https' }])(
  'the log says at once what to set when %o comes from this machine, and then each ten minutes',
  async (headers) => {
    const { ask, lines, pass } = await open(0)
    await ask(headers)
    await ask(headers)
    expect(lines).toMatchObject([{ level: 50, proxies: ['127.0.0.1'], set: 'TRUST_PROXY=127.0.0.1' }])
    pass(9)
    await ask(headers)
    expect(lines).toHaveLength(1)
    pass(1)
    await ask(headers)
    expect(lines).toHaveLength(2)
    expect(JSON.stringify(lines)).not.toContain('198.51.100.9')
  },
)
