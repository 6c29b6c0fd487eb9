import { afterEach, describe, expect, it } from 'vitest'
import { askService, askServiceForJson } from '#core/http/ask-service.ts'
import { startRawServer, type RawServer, type Speak } from '#tests/support/peers/raw-server.ts'
import { waitUntil } from '#tests/support/condition.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(speak: Speak): Promise<RawServer> {
  const server = await startRawServer(speak)
  closers.push(server.close)
  return server
}

const answer =
  (text: string): Speak =>
  (socket) => {
    socket.end(`HTTP/1.1 ${text}`)
  }
const allClosed = (server: RawServer): Promise<boolean> =>
  waitUntil(() => server.open() === 0, { what: 'The closing of every connection' })

describe('an external service', () => {
  it('gets one request with name and password, and its answer is read', async () => {
    const server = await serve(answer('201 Created\r\ncontent-length: 11\r\n\r\n{"sid":"a"}'))
    const form = { To: '+1 555 0100', Body: 'é' }
    const credentials = { username: 'account', password: 'token' }
    expect(await askServiceForJson({ url: server.url, timeoutMs: 5000, form, credentials })).toEqual({
      sid: 'a',
    })
    expect(server.received()).toContain(`Basic ${Buffer.from('account:token').toString('base64')}`)
    expect(server.received()).toContain('To=%2B1+555+0100&Body=%C3%A9')
    expect(server.accepted()).toBe(1)
  })

  it('that answers without end is cut off', async () => {
    const chunk = Buffer.alloc(64 * 1024, '{')
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = (): void => {
        if (!socket.destroyed) socket.write(chunk, pour)
      }
      pour()
    })
    await expect(askService({ url: server.url, timeoutMs: 60_000 })).rejects.toThrow('without end')
    await allClosed(server)
  })

  it('that answers byte by byte is cut off at its time limit', async () => {
    const server = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => {
        clearInterval(timer)
      })
    })
    await expect(askService({ url: server.url, timeoutMs: 300 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await allClosed(server)
  })

  it('that redirects is not followed', async () => {
    const trap = await serve(answer('200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const server = await serve(answer(`302 Found\r\nlocation: ${trap.url}\r\ncontent-length: 0\r\n\r\n`))
    const asking = askService({
      url: server.url,
      timeoutMs: 5000,
      headers: { authorization: 'Bearer secret' },
    })
    await expect(asking).rejects.toThrow('The service answered 302')
    expect({ asked: server.accepted(), trapped: trap.accepted() }).toEqual({ asked: 1, trapped: 0 })
  })

  it('that fails gets no second request, and its error is not quoted', async () => {
    const server = await serve(answer('503 Busy\r\ncontent-length: 12\r\n\r\n+1 555 0100 '))
    const failure: unknown = await askService({ url: server.url, timeoutMs: 5000 }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ message: 'The service answered 503' })
    expect(server.accepted()).toBe(1)
  })

  it('that does not exist causes a failure', async () => {
    const server = await startRawServer(() => undefined)
    await server.close()
    await expect(askService({ url: server.url, timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })
})
