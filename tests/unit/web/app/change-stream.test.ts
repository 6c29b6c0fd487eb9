import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { followChanges, readMessages, reconnectWait } from '#web/api/change-stream.ts'
import { waitUntil } from '#tests/support/condition.ts'

const seconds = (failures: number, random: number) => reconnectWait(failures, random) / 1000

describe('a lost stream is opened again', () => {
  it('after 1, 2, 5 and 10 seconds, and then every 10 seconds', () => {
    expect([1, 2, 3, 4, 5, 100].map((failures) => seconds(failures, 0.5))).toEqual([1, 2, 5, 10, 10, 10])
  })

  it('after one second if the stream ended normally', () => {
    expect(seconds(0, 0.5)).toBe(1)
  })

  it('with a random quarter more or less, so that clients do not reconnect together', () => {
    expect([seconds(4, 0), seconds(4, 1)]).toEqual([7.5, 12.5])
  })
})

describe('a message', () => {
  it('contains the change token', () => {
    expect(readMessages('retry: 1000\n\nid: 0af3\n\n')).toEqual({ mark: '0af3', isChange: false })
  })

  it('reports a change if it has data', () => {
    expect(readMessages('id: 0af3\ndata: changed\n\n')).toEqual({ mark: '0af3', isChange: true })
  })

  it('is only a heartbeat if it is a comment', () => {
    expect(readMessages(': still here\n\n')).toEqual({ mark: undefined, isChange: false })
  })
})

describe('a follower', () => {
  const ends: Array<() => void> = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  /** Follows a server that gives these answers in turn and repeats the last one. */
  async function follow(...answers: Array<(response: ServerResponse) => void>) {
    const asked: unknown[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers['last-event-id'])
      answers[Math.min(asked.length, answers.length) - 1]?.(response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const stop = new AbortController()
    ends.push(
      () => stop.abort(),
      () => server.closeAllConnections(),
      () => void server.close(),
    )
    const at: { mark: string | undefined } = { mark: undefined }
    let told = 0
    const open = async (mark: string | undefined, signal: AbortSignal) =>
      await fetch(`http://127.0.0.1:${port}`, {
        signal,
        ...(mark === undefined ? {} : { headers: { 'last-event-id': mark } }),
      })
    const over = followChanges(open, at, () => (told += 1), stop.signal)
    return { asked, at, over, told: () => told, stop: () => stop.abort() }
  }

  it('sends the last change token when the stream ends, and reads messages that arrive in parts', async () => {
    const { asked, at, told } = await follow(
      (response) => {
        response.write('id: one\n\nid: t')
        setImmediate(() => response.end('wo\ndata: changed\n\n'))
      },
      (response) => response.write('id: two\n\n'),
    )
    await waitUntil(() => asked.length === 2, { what: 'The second stream' })
    expect(asked).toEqual([undefined, 'two'])
    expect([at.mark, told()]).toEqual(['two', 1])
  })

  it('polls while there is no stream, but not after a lost stream was opened again', async () => {
    const { asked, told } = await follow(
      (response) => void response.destroy(),
      (response) => {
        // The next stream reports what happened in between.
        expect(told()).toBe(0)
        response.destroy()
      },
      (response) => response.write('id: one\n\n'),
    )
    await waitUntil(() => asked.length === 3, { what: 'The third try' })
    expect(told()).toBe(1)
  })

  it('gets no more messages after it is stopped, even between two tries', async () => {
    const { asked, over, stop } = await follow((response) => void response.destroy())
    await waitUntil(() => asked.length === 1)
    stop()
    await over
    expect(asked).toHaveLength(1)
  })
})
