import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Response } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { sendParts, sendPieces } from '#server/http/send-pieces.ts'

/** A client that requests and reads nothing, and the response to it. */
async function given(): Promise<{ caller: Socket; response: Response }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    caller.destroy()
    server.closeAllConnections()
    server.close()
  })
  caller.pause()
  caller.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, Response]
  return { caller, response }
}

test('a client that hangs up before the first chunk causes no error and ends the work', async () => {
  const { caller, response } = await given()
  const made = Promise.withResolvers<void>()
  let hasEnded = false
  async function* pieces(): AsyncGenerator<string> {
    try {
      await made.promise
      yield 'first'
    } finally {
      hasEnded = true
    }
  }
  const sent = sendPieces(response, pieces())
  const closed = once(response, 'close')
  caller.destroy()
  await closed
  made.resolve()

  expect(await sent).toBe(0)
  expect(hasEnded).toBe(true)
})

test('parts are sent without waiting for the reader', async () => {
  const { response } = await given()
  const part = 'x'.repeat(100_000)
  expect(
    await sendParts(
      response,
      Array.from({ length: 100 }, () => part),
    ),
  ).toBe(10_000_000)
  expect(response.writableFinished).toBe(false)
})

test('a client that hangs up between two parts causes no error', async () => {
  const { caller, response } = await given()
  const closed = once(response, 'close')
  caller.destroy()
  await closed
  expect(await sendParts(response, ['one', 'two'])).toBe(6)
})
