import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The job of a process with a healthy https endpoint: its certificate and key, in PEM. */
export interface ClosingJob {
  cert: string
  key: string
}

/**
 * Answers at once and closes the connection, so that each request needs a new one. Half of a handshake's cost
 * is this process's own.
 */
async function serve(job: ClosingJob): Promise<void> {
  const server = createServer(job, (request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { connection: 'close', 'content-length': '2' }).end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.((server.address() as AddressInfo).port)
}

process.on('message', (job: ClosingJob) => void serve(job))
process.channel?.ref()
process.stdout.write('endpoint ready\n')
