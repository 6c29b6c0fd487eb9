import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (from 32768 with Linux, from 49152 elsewhere):
 * under load one of those is often taken between the check and the bind. They exclude ports that a webhook
 * may not use (core/domain/webhooks/refuse-port.ts), because a receiver may listen there.
 */
export const FREE_PORTS = { from: 17_000, to: 25_000 }
const TRIES = 50

/** A port that is free at this moment. Another process may still take it first, so callers retry. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to)
    if (await isPortFree(port, '127.0.0.1')) return port
  }
  throw new Error(`No free TCP port between ${FREE_PORTS.from} and ${FREE_PORTS.to}`)
}

/** Whether `host:port` can be bound now. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
