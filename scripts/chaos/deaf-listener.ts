import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../services/free-port.ts'
import { startProcess } from '../lab/start-process.ts'

/**
 * An address that drops SYN packets: a listener that never accepts and whose queue is full. It looks like a
 * firewall's DROP, but needs no root. As a program, this file is that listener.
 */
export async function startDeafListener(
  logFile: string,
): Promise<{ port: number; close: () => Promise<void> }> {
  const port = await freePort()
  const listener = await startProcess({
    name: 'deaf listener',
    script: fileURLToPath(import.meta.url),
    env: { CHAOS_DEAF_PORT: String(port) },
    isReady: 'deaf',
    logFile,
  })
  listener.freeze()
  const fillers = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'))
  for (const socket of fillers) socket.on('error', () => undefined)
  await sleep(200)
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy()
      await listener.kill()
    },
  }
}

const ownPort = process.env['CHAOS_DEAF_PORT']
if (ownPort !== undefined)
  createServer().listen({ port: Number(ownPort), host: '127.0.0.1', backlog: 1 }, () => {
    console.log('deaf')
  })
