import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** One connection through the proxy, as a script sees it. */
export interface ProxiedConnection {
  /** everything the client has sent so far, as latin1 */
  sent: () => string
  /** From now on nothing passes either way, and neither side is told. */
  blackhole: () => void
  /** From now on what the server answers is thrown away; the client's bytes still arrive. */
  swallowReplies: () => void
  /** The next answer of the server is thrown away, and the connection broken with it. */
  cutAtReply: () => void
  cut: () => void
}

export interface TcpProxy {
  port: number
  /** Called with each piece a client sends, before it is passed on. */
  onSent: (script: (connection: ProxiedConnection, piece: string) => void) => void
  connections: () => readonly ProxiedConnection[]
  /** `url` as it leads through the proxy. */
  through: (url: string) => string
  close: () => Promise<void>
}

/** A TCP proxy that loses answers, cuts connections, or goes silent when its test says so. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const open = new Map<Socket, ProxiedConnection>()
  let script: (connection: ProxiedConnection, piece: string) => void = () => undefined

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let sent = ''
    let replies: 'pass' | 'swallow' | 'cut' = 'pass'
    let silent = false
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
    }
    const connection: ProxiedConnection = {
      sent: () => sent,
      blackhole: () => {
        silent = true
      },
      swallowReplies: () => {
        replies = 'swallow'
      },
      cutAtReply: () => {
        replies = 'cut'
      },
      cut,
    }
    open.set(client, connection)
    client.on('data', (piece: Buffer) => {
      const text = piece.toString('latin1')
      sent = (sent + text).slice(-100_000)
      script(connection, text)
      if (!silent) upstream.write(piece)
    })
    upstream.on('data', (piece: Buffer) => {
      if (replies === 'cut') cut()
      else if (replies === 'pass' && !silent) client.write(piece)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        open.delete(client)
        if (!silent) other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = server.address() as AddressInfo
  return {
    port: ownPort,
    onSent: (next) => {
      script = next
    },
    connections: () => [...open.values()],
    through: (url) => {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${ownPort}`
      return changed.href
    },
    close: async () => {
      for (const connection of open.values()) connection.cut()
      server.close()
      await once(server, 'close')
    },
  }
}
