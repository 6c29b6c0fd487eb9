// A thread that posts as proxies do which keep no connections: one for each request. It ends when the server refuses one;
// its exit code is the number of connections that were reset.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

const PARALLEL = 4
const REST_MS = 8
const agent = new Agent({ keepAlive: false })
const { port } = workerData as { port: number }
let resets = 0

const post = (): Promise<'answered' | 'refused' | 'reset'> =>
  new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', agent }, (answer) => {
      answer.resume().once('end', () => resolve('answered'))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'reset')
    })
    sent.end('a lead')
  })

async function postUntilRefused(): Promise<void> {
  for (;;) {
    const end = await post()
    if (end === 'refused') return
    if (end === 'reset') resets += 1
    await sleep(Math.random() * REST_MS)
  }
}

await Promise.all(Array.from({ length: PARALLEL }, postUntilRefused))
process.exitCode = resets
