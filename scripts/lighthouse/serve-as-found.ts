import { createServer, request } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/**
 * Passes every answer on, but turns status 404 into 200: Lighthouse deducts points for the status itself, so
 * that no not-found page could be measured.
 * @param url of a running Leadwire
 */
export async function serveAsFound(url: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((asked, response) => {
    const { method, headers, url: path = '/' } = asked
    const passed = request(new URL(path, url), { method, headers }, (answer) => {
      const { statusCode = 502 } = answer
      response.writeHead(statusCode === 404 ? 200 : statusCode, answer.headers)
      answer.pipe(response)
    })
    passed.once('error', () => response.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
