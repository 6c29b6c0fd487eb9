import { Worker } from 'node:worker_threads'
import { createExchanger, type Exchanger } from '../exchanger.ts'
import { createAddressGuard } from '../guard-address.ts'
import type { HandshakeWatch } from '../handshakes.ts'
import type { ResolveName } from '../look-ups.ts'
import { createEndpointContext } from '../secure-socket.ts'
import type { Order, Report } from './messages.ts'
import { QUICK_MS } from './standing.ts'

/**
 * A process that only makes exchanges, so that whatever an endpoint's certificates or answer do to it ends nothing else
 * (docs/decisions/0028-strangers-are-met-in-a-process-of-their-own.md).
 */
const BEAT_MS = 100

const tell = (report: Report): void => {
  process.send?.(report)
}
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Counts exchanges, so that one can be told from several. */
let begun = 0
let underWay = 0
const aborts = new Map<number, AbortController>()
const lookUps = new Map<number, Parameters<ResolveName>[2]>()
let lastLookUp = 0
let exchanger: Exchanger | undefined

const handshakes: HandshakeWatch = {
  begin: (host) => {
    tell({ type: 'handshake', host })
    const [begunBefore, aloneBefore, cpuBefore] = [begun, underWay <= 1, cpuMs()]
    let shown: string | undefined
    let hasEnded = false
    return (chain) => {
      // When one that follows on the same connection began nobody knows: with the same certificates it takes as long.
      if (hasEnded && chain === shown) return
      const took = hasEnded ? QUICK_MS : cpuMs() - cpuBefore
      const wasAlone = aloneBefore && begun === begunBefore
      tell({ type: 'handshaken', host, chain, cpuMs: took, wasAlone })
      hasEnded = true
      shown = chain
    }
  },
}

/** Names are looked up by the process that has the threads for it, and a limit on them. */
const askParent: ResolveName = (hostname, { family, hints }, callback) => {
  lastLookUp += 1
  lookUps.set(lastLookUp, callback)
  tell({ type: 'resolve', id: lastLookUp, hostname, family: Number(family ?? 0), hints: hints ?? 0 })
}

async function exchange({
  id,
  job,
  spentMs,
  timeoutMs,
}: Extract<Order, { type: 'exchange' }>): Promise<void> {
  if (exchanger === undefined) return
  const abort = new AbortController()
  aborts.set(id, abort)
  begun += 1
  underWay += 1
  const cpuBefore = cpuMs()
  const clock = { startedAt: performance.now() - spentMs, timeoutMs }
  const result = await exchanger.exchange({ ...job, clock }, abort.signal)
  underWay -= 1
  aborts.delete(id)
  tell({ type: 'done', id, result, cpuMs: cpuMs() - cpuBefore })
}

process.on('message', (order: Order) => {
  if (order.type === 'open') {
    exchanger = createExchanger(createAddressGuard(order.allowedCidrs, askParent), order, handshakes)
    // The public authorities are read for the first of them.
    createEndpointContext(null)
    tell({ type: 'ready' })
  } else if (order.type === 'exchange') void exchange(order)
  else if (order.type === 'abort') aborts.get(order.id)?.abort()
  else {
    const { id, error, answers } = order
    lookUps.get(id)?.(error === null ? null : Object.assign(new Error('Not resolved'), error), answers)
    lookUps.delete(id)
  }
})
// Whoever started it decides when it ends; a service manager may signal every process of its group.
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => {
  process.exit()
})

/** A thread that sees this one hang, and ends the process. */
const beats = new Int32Array(new SharedArrayBuffer(4))
setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS)
new Worker(new URL('./watch-turns.ts', import.meta.url), { workerData: beats }).unref()
