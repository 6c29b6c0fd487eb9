// A thread that posts as proxies do which keep no connections: one for each request, several at the same moment. It ends
// when the server refuses one; its exit code is the number of connections that were reset.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

const REST_MS = 40
const agent = new Agent({ keepAlive: false })
const { port, together } = workerData as { port: number; together: number }

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

let resets = 0
for (;;) {
  const ends = await Promise.all(Array.from({ length: together }, post))
  resets += ends.filter((end) => end === 'reset').length
  if (ends.includes('refused')) break
  await sleep(REST_MS)
}
process.exitCode = resets
