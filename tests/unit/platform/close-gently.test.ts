import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { closeGently } from '#core/http/close-gently.ts'
import { openHttpServer } from '#core/http/open-http-server.ts'

const ROUNDS = 4
const TOGETHER = 6
/** Work of a request, during which other connections wait in the queue of the socket. */
const WORK_MS = 2

test('a server that closes gently while connections wait resets none of them', async () => {
  const closing: Promise<void>[] = []
  let resets = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    let requests = 0
    const { server, port } = await openHttpServer({
      host: '127.0.0.1',
      port: 0,
      listener: (request, response) => {
        requests += 1
        // The first of the second time that several come together.
        if (requests === TOGETHER + 1) closing.push(closeGently(server))
        request.resume().once('end', () => {
          const began = performance.now()
          while (performance.now() - began < WORK_MS);
          response.setHeader('Connection', 'close').end()
        })
      },
    })
    const posting = new Worker(new URL('../../support/processes/post-anew.ts', import.meta.url), {
      workerData: { port, together: TOGETHER },
    })
    const [count] = (await once(posting, 'exit')) as [number]
    resets += count
  }
  await Promise.all(closing)
  expect(resets).toBe(0)
})
