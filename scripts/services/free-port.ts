import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that nothing listens on at this moment; another process may still take it first, so callers retry. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no TCP port')
  return address.port
}

/** Whether `host:port` can be bound now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
