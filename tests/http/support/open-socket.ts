import { WebSocket } from 'ws'
import { waitUntil } from '#tests/support/condition.ts'

/** A message that a server sent, in either version of the wire. */
export interface HeardFrame {
  join_ref: string | null
  ref: string | null
  topic: string
  event: string
  payload: Record<string, unknown>
}

/** A socket of channels, spoken by hand. */
export interface TestSocket {
  heard: HeardFrame[]
  /** Sends a message, and returns its ref. */
  send: (topic: string, event: string, payload: unknown, refs?: { join_ref?: string | null }) => string
  /** Sends text or bytes as they are. */
  sendRaw: (data: string | Uint8Array) => void
  /** Waits for the first message that fits and was not taken before, and takes it. */
  take: (fits: Partial<HeardFrame> | ((frame: HeardFrame) => boolean), what?: string) => Promise<HeardFrame>
  /** Joins and returns the reply. */
  join: (name: string, payload?: unknown) => Promise<HeardFrame>
  closed: () => { code: number; reason: string } | undefined
  hangUp: () => void
  ws: WebSocket
}

export type WireVersion = '1.0.0' | '2.0.0'

/** The answer to a handshake that opened no socket. */
export interface RefusedSocket {
  status: number
  error: string
}

/** Opens a socket, or returns the refusal. */
export async function askForSocket(
  url: string,
  query: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ socket: TestSocket } | { refused: RefusedSocket }> {
  const target = new URL(`/realtime/v1/websocket?${new URLSearchParams(query).toString()}`, url)
  target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
  const ws = new WebSocket(target, { headers })
  const heard: HeardFrame[] = []
  let closed: { code: number; reason: string } | undefined
  ws.on('message', (data) => {
    const read: unknown = JSON.parse((data as Buffer).toString())
    if (!Array.isArray(read)) return void heard.push(read as HeardFrame)
    const [join_ref, ref, topic, event, payload] = read as [
      string,
      string,
      string,
      string,
      HeardFrame['payload'],
    ]
    heard.push({ join_ref, ref, topic, event, payload })
  })
  ws.on('close', (code, reason) => (closed = { code, reason: reason.toString() }))
  const refused = await new Promise<RefusedSocket | undefined>((resolve, reject) => {
    ws.once('open', () => resolve(undefined))
    ws.once('error', reject)
    ws.once('unexpected-response', (_request, response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, ...(JSON.parse(text) as { error: string }) }),
      )
    })
  })
  if (refused !== undefined) return { refused }
  const version = query['vsn'] ?? '1.0.0'
  let refs = 0
  const send: TestSocket['send'] = (topic, event, payload, { join_ref = null } = {}) => {
    const ref = String((refs += 1))
    const join = event === 'phx_join' ? ref : join_ref
    const frame = { topic, event, payload, ref, join_ref: join }
    ws.send(JSON.stringify(version === '1.0.0' ? frame : [join, ref, topic, event, payload]))
    return ref
  }
  const taken = new Set<HeardFrame>()
  const take: TestSocket['take'] = async (fits, what = JSON.stringify(fits)) => {
    const isFit =
      typeof fits === 'function'
        ? fits
        : (frame: HeardFrame) =>
            Object.entries(fits).every(([name, value]) => frame[name as keyof HeardFrame] === value)
    const find = () => heard.find((frame) => !taken.has(frame) && isFit(frame))
    await waitUntil(() => find() !== undefined, { what: `${what} on the socket` })
    const found = find() as HeardFrame
    taken.add(found)
    return found
  }
  const socket: TestSocket = {
    heard,
    send,
    sendRaw: (data) => ws.send(data),
    take,
    join: async (name, payload = {}) => {
      const ref = send(`realtime:${name}`, 'phx_join', payload)
      return await take({ ref, event: 'phx_reply' })
    },
    closed: () => closed,
    hangUp: () => ws.terminate(),
    ws,
  }
  return { socket }
}

/** Opens a socket. */
export async function openSocket(url: string, query: Record<string, string>): Promise<TestSocket> {
  const answer = await askForSocket(url, query)
  if ('refused' in answer) throw new Error(`The socket was refused: ${JSON.stringify(answer.refused)}`)
  return answer.socket
}
