import type { Server, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { headOf, openLine } from '../../support/speak-http.ts'

let server: Server
let url: string
let begun: Array<{ path: string; response: ServerResponse }>
beforeEach(async () => {
  begun = []
  const opened = await openHttpServer({
    listener: (request, response) => {
      begun.push({ path: request.url ?? '', response })
    },
    host: '127.0.0.1',
    port: 0,
  })
  server = opened.server
  url = `http://127.0.0.1:${opened.port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const ahead = (count: number) =>
  Array.from({ length: count }, (_request, index) => headOf(`GET /${index}`)).join('')

test('requests that arrive together on a connection are answered one after the other', async () => {
  const line = await openLine(url)
  line.say(ahead(5))
  for (let index = 0; index < 5; index += 1) {
    await waitUntil(() => begun.length > index)
    expect(begun.map(({ path }) => path)).toEqual(Array.from({ length: index + 1 }, (_path, at) => `/${at}`))
    begun[index]?.response.end(`answer ${index}`)
  }
  await waitUntil(() => line.heard().includes('answer 4'))
  expect(line.heard().match(/answer \d/g)).toEqual([0, 1, 2, 3, 4].map((index) => `answer ${index}`))
  line.hangUp()
})

test('a connection with too many requests in advance is closed, and none of them is begun', async () => {
  const line = await openLine(url)
  line.say(ahead(100))
  await waitUntil(() => begun[0]?.response.destroyed === true, { what: 'the end of the connection' })
  expect(begun).toHaveLength(1)
  line.hangUp()
})

test('requests that wait on a closed connection are not begun', async () => {
  const line = await openLine(url)
  line.say(ahead(5))
  await waitUntil(() => begun.length === 1)
  line.hangUp()
  await waitUntil(() => begun[0]?.response.destroyed === true, { what: 'the end of the connection' })
  const next = await openLine(url)
  next.say(ahead(1))
  await waitUntil(() => begun.length === 2)
  expect(begun.map(({ path }) => path)).toEqual(['/0', '/0'])
  next.hangUp()
})

test('requests after an answer that ends the connection are not begun', async () => {
  const line = await openLine(url)
  line.say(ahead(3))
  await waitUntil(() => begun.length === 1)
  begun[0]?.response.setHeader('Connection', 'close').end('the last')
  await waitUntil(() => line.heard().includes('the last'))
  const next = await openLine(url)
  next.say(ahead(1))
  await waitUntil(() => begun.length > 1)
  expect(begun.map(({ path }) => path)).toEqual(['/0', '/0'])
  for (const one of [line, next]) one.hangUp()
})
