import { once } from 'node:events'
import { WebSocket } from 'ws'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'
import { now } from '../../lab/now.ts'
import type { Listener } from './make-listeners.ts'

/** Sockets that join at the same time: fewer than one address may open before any account is known. */
const AT_ONCE = 50
const BEAT_MS = 25_000
const TOPIC = 'realtime:bench'
const BINDINGS = [
  { event: '*', schema: 'public', table: 'leads' },
  { event: '*', schema: 'public', table: 'webhook_delivery_logs' },
]

export interface Sockets {
  /** when each lead was told, by its id */
  told: ReadonlyMap<string, number>
  close: () => Promise<void>
}

/** Opens a socket for each listener, and follows leads and attempts on it, as the client library does. */
export async function openSockets(url: string, listeners: readonly Listener[]): Promise<Sockets> {
  const told = new Map<string, number>()
  const target = new URL('/realtime/v1/websocket', url)
  target.protocol = 'ws:'
  const open: WebSocket[] = []
  const limit = limitParallel(AT_ONCE, listeners.length, () => new Error('Too many sockets wait'))
  await Promise.all(
    listeners.map((listener) =>
      limit(async () => {
        open.push(await openSocket(target, listener, (lead) => told.set(lead, now())))
      }),
    ),
  )
  const beat = setInterval(() => {
    for (const ws of open)
      if (ws.readyState === WebSocket.OPEN) ws.send(JSON.stringify([null, '9', 'phoenix', 'heartbeat', {}]))
  }, BEAT_MS)
  return {
    told,
    close: async () => {
      clearInterval(beat)
      const closed = open.map(async (ws) => {
        if (ws.readyState === WebSocket.CLOSED) return
        const ended = once(ws, 'close')
        ws.terminate()
        await ended
      })
      await Promise.all(closed)
    },
  }
}

type Frame = [string | null, string | null, string, string, { [name: string]: unknown }]

async function openSocket(
  target: URL,
  { token }: Listener,
  tell: (lead: string) => void,
): Promise<WebSocket> {
  const address = new URL(target)
  address.searchParams.set('apikey', token)
  address.searchParams.set('vsn', '2.0.0')
  const ws = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    ws.once('error', reject)
    ws.once('close', (code, reason) => reject(new Error(`A socket was closed: ${code} ${reason.toString()}`)))
    ws.once('open', () => {
      const config = { postgres_changes: BINDINGS }
      ws.send(JSON.stringify(['1', '1', TOPIC, 'phx_join', { config, access_token: token }]))
    })
    ws.on('message', (data: Buffer) => {
      const [, , , event, payload] = JSON.parse(data.toString()) as Frame
      if (event === 'postgres_changes') tell(readLead(payload))
      else if (payload['status'] === 'error') reject(new Error(JSON.stringify(payload)))
      // Changes are heard from now on.
      else if (event === 'system') resolve()
    })
  })
  return ws
}

function readLead({ data }: Frame[4]): string {
  const { record } = data as { record?: { id?: string } }
  return record?.id ?? ''
}
