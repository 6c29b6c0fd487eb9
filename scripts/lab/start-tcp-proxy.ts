import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What the line does to the bytes of every connection; changed at any moment. */
export interface LineFault {
  /** each way */
  delayMs: number
  /** share of the pieces that come as late as a lost packet that is sent again */
  loss: number
  /** share of the replies that are swallowed; their connection is never heard of again, and reset 300 ms later */
  swallow: number
}

/** One connection through the proxy, as a script sees it. */
export interface ProxiedConnection {
  /** From now on nothing passes either way, and neither side is told, as when a firewall forgets it. */
  blackhole: () => void
  /** From now on what the server answers is thrown away; the client's bytes still arrive. */
  swallowReplies: () => void
  /** The next answer of the server is thrown away, and the connection broken with it. */
  cutAtReply: () => void
  cut: () => void
}

type Script = (connection: ProxiedConnection, piece: string) => void

export interface TcpProxy {
  port: number
  /** `url` as it leads through the proxy. */
  through: (url: string) => string
  fault: LineFault
  /** pieces that the fault made late, and replies that it swallowed, since the start */
  harmed: () => number
  /** Mends the line for what comes from now on. */
  mend: () => void
  /** Called with each piece a client sends, as latin1, before it is passed on. */
  onSent: (script: Script) => void
  /** RST to both sides of every connection; answers how many there were. */
  resetAll: () => number
  /** A black hole for every connection that stands now. */
  forgetAll: () => number
  close: () => Promise<void>
}

const NO_FAULT: LineFault = { delayMs: 0, loss: 0, swallow: 0 }
/** Linux waits at least so long before it sends a lost packet again. */
const RETRANSMISSION_MS = 200
const HALF_OPEN_MS = 300

interface Line extends ProxiedConnection {
  reset: () => void
}

/**
 * A TCP line of ours between a process and a service, so that faults of a network need neither root nor tc: it delays,
 * loses answers, cuts connections, or goes silent.
 * @param target a URL, of which host and port count
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

/** One direction; pieces keep their order, whatever delays each. */
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
