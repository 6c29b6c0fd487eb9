import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What the line does to the bytes; changed at any moment. */
export interface LineFault {
  /** each way */
  delayMs: number
  /** share of the pieces that come as late as a lost packet that is sent again */
  loss: number
  /** share of the replies that are swallowed; their connection is never heard of again, and reset 300 ms later */
  swallow: number
  /** takes bytes and passes none on, either way */
  isBlackHole: boolean
}

export interface Proxy {
  port: number
  fault: LineFault
  /** mends the line for what comes from now on */
  mend: () => void
  /** RST to both sides of every connection */
  resetAll: () => number
  /** no byte passes on any connection that stands now, and none is closed: as when a firewall forgets them */
  forgetAll: () => number
  close: () => Promise<void>
}

const NO_FAULT: LineFault = { delayMs: 0, loss: 0, swallow: 0, isBlackHole: false }
/** Linux waits at least so long before it sends a lost packet again. */
const RETRANSMISSION_MS = 200
const HALF_OPEN_MS = 300

/** A TCP line of ours between a process and a service on the loopback, so that faults of a network need neither root nor tc. */
export async function startProxy(targetPort: number): Promise<Proxy> {
  const fault: LineFault = { ...NO_FAULT }
  const pairs = new Set<readonly [Socket, Socket]>()
  const forgotten = new WeakSet<Socket>()
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    const pair = [client, target] as const
    const isForgotten = (): boolean => forgotten.has(client)
    pairs.add(pair)
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
    carry(client, target, fault, isForgotten)
    carry(target, client, fault, isForgotten, () => {
      setTimeout(() => reset(pair), HALF_OPEN_MS)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fault,
    mend: () => {
      Object.assign(fault, NO_FAULT)
    },
    resetAll: () => {
      const open = [...pairs]
      for (const pair of open) reset(pair)
      return open.length
    },
    forgetAll: () => {
      for (const pair of pairs) for (const socket of pair) forgotten.add(socket)
      return pairs.size
    },
    close: async () => {
      for (const pair of pairs) reset(pair)
      server.close()
      await once(server, 'close')
    },
  }
}

/** One direction, the replies' where something is to follow a swallowed one; pieces keep their order, whatever delays each. */
function carry(
  from: Socket,
  to: Socket,
  fault: LineFault,
  isForgotten: () => boolean,
  onSwallow?: () => void,
): void {
  let last = Promise.resolve()
  let isDead = false
  from.on('data', (piece: Buffer) => {
    if (isDead || fault.isBlackHole || isForgotten()) return
    if (onSwallow !== undefined && Math.random() < fault.swallow) {
      isDead = true
      onSwallow()
      return
    }
    const lateMs = fault.delayMs + (Math.random() < fault.loss ? RETRANSMISSION_MS + 2 * fault.delayMs : 0)
    const due = lateMs === 0 ? Promise.resolve() : after(lateMs)
    last = Promise.all([last, due]).then(() => {
      if (!to.destroyed) to.write(piece)
    })
  })
  from.on('end', () => {
    void last.then(() => to.end())
  })
}

function reset(pair: readonly [Socket, Socket]): void {
  for (const socket of pair) socket.resetAndDestroy()
}

function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, delayMs)
  })
}
