import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The fault of the line, for every connection; may change at any moment. */
export interface LineFault {
  /** each way */
  delayMs: number
  /** share of chunks that arrive as late as a lost packet that is sent again */
  loss: number
  /** share of replies that are dropped; their connection falls silent and is reset 300 ms later */
  swallow: number
}

/** One connection through the proxy, as a script sees it. */
export interface ProxiedConnection {
  /**
   * From now on nothing passes either way, and neither side is told, like a firewall that drops the
   * connection.
   */
  blackhole: () => void
  /** From now on the server's replies are dropped; the client's bytes still arrive. */
  swallowReplies: () => void
  /** The server's next reply is dropped, and the connection broken. */
  cutAtReply: () => void
  cut: () => void
}

type Script = (connection: ProxiedConnection, piece: string) => void

export interface TcpProxy {
  port: number
  /** The same `url`, through the proxy. */
  through: (url: string) => string
  fault: LineFault
  /** chunks that the fault delayed, and replies that it dropped, since the start */
  harmed: () => number
  /** Repairs the line for all further bytes. */
  mend: () => void
  /** Called with each chunk that a client sends, as latin1, before it is passed on. */
  onSent: (script: Script) => void
  /** Sends RST to both sides of every connection; returns their number. */
  resetAll: () => number
  /** Makes every present connection a black hole; returns their number. */
  forgetAll: () => number
  close: () => Promise<void>
}

const NO_FAULT: LineFault = { delayMs: 0, loss: 0, swallow: 0 }
/** Linux waits at least this long before it sends a lost packet again. */
const RETRANSMISSION_MS = 200
const HALF_OPEN_MS = 300

interface Line extends ProxiedConnection {
  reset: () => void
}

/**
 * A TCP line between a process and a service, so that network faults need neither root nor tc: it delays,
 * drops replies, cuts connections, or falls silent.
 * @param target a URL, of which only host and port count
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const fault: LineFault = { ...NO_FAULT }
  const lines = new Set<Line>()
  let script: Script | undefined
  let harmed = 0
  const countHarm = (): void => {
    harmed += 1
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const pair = [client, upstream] as const
    let replies: 'pass' | 'swallow' | 'cut' = 'pass'
    let isSilent = false
    const line: Line = {
      blackhole: () => {
        isSilent = true
      },
      swallowReplies: () => {
        replies = 'swallow'
      },
      cutAtReply: () => {
        replies = 'cut'
      },
      cut: () => {
        for (const socket of pair) socket.destroy()
      },
      reset: () => {
        for (const socket of pair) socket.resetAndDestroy()
      },
    }
    lines.add(line)
    carry(client, upstream, fault, countHarm, (piece) => {
      script?.(line, piece.toString('latin1'))
      return !isSilent
    })
    carry(upstream, client, fault, countHarm, () => {
      if (replies === 'cut') line.cut()
      if (isSilent || replies !== 'pass') return false
      if (Math.random() >= fault.swallow) return true
      replies = 'swallow'
      countHarm()
      setTimeout(line.reset, HALF_OPEN_MS)
      return false
    })
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        if (!isSilent) line.cut()
        if (pair.every(({ destroyed }) => destroyed)) lines.delete(line)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = server.address() as AddressInfo
  const toAll = (act: (line: Line) => void): number => {
    const open = [...lines]
    for (const line of open) act(line)
    return open.length
  }
  return {
    port: ownPort,
    through: (url) => {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${ownPort}`
      return changed.href
    },
    fault,
    harmed: () => harmed,
    mend: () => void Object.assign(fault, NO_FAULT),
    onSent: (next) => {
      script = next
    },
    resetAll: () => toAll((line) => line.reset()),
    forgetAll: () => toAll((line) => line.blackhole()),
    close: async () => {
      toAll((line) => line.cut())
      server.close()
      await once(server, 'close')
    },
  }
}

/** One direction; chunks keep their order, whatever delays each. */
function carry(
  from: Socket,
  to: Socket,
  fault: LineFault,
  onHarm: () => void,
  passes: (piece: Buffer) => boolean,
): void {
  let last = Promise.resolve()
  from.on('data', (piece: Buffer) => {
    if (!passes(piece)) return
    const lateMs = fault.delayMs + (Math.random() < fault.loss ? RETRANSMISSION_MS + 2 * fault.delayMs : 0)
    if (lateMs > 0) onHarm()
    const due = lateMs === 0 ? Promise.resolve() : after(lateMs)
    last = Promise.all([last, due]).then(() => {
      if (!to.destroyed) to.write(piece)
    })
  })
}

function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs)
  })
}
