import { Worker } from 'node:worker_threads'
import { createExchanger, type Exchanger } from '../exchanger.ts'
import { createAddressGuard } from '../guard-address.ts'
import type { HandshakeWatch } from '../tls/handshakes.ts'
import type { ResolveName } from '../look-ups.ts'
import { createEndpointContext } from '../tls/secure-socket.ts'
import type { ToExchangeProcess, FromExchangeProcess } from './messages.ts'
import { QUICK_MS } from './host-trust.ts'

// This process only makes exchanges, so that if an endpoint's certificates or answer end it, nothing else ends
// (docs/decisions/0028-strangers-are-met-in-a-process-of-their-own.md).

/** Milliseconds between two signs of life for the thread that watches this one. */
const BEAT_MS = 100

const tell = (message: FromExchangeProcess): void => {
  process.send?.(message)
}
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Number of exchanges that began so far; it shows whether another one began meanwhile. */
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
      // It is unknown when a later handshake of the same connection began; with the same certificates it takes as long
      // as the first.
      if (hasEnded && chain === shown) return
      const took = hasEnded ? QUICK_MS : cpuMs() - cpuBefore
      const wasAlone = aloneBefore && begun === begunBefore
      tell({ type: 'handshaken', host, chain, cpuMs: took, wasAlone })
      hasEnded = true
      shown = chain
    }
  },
}

/** The parent process looks names up: it has the threads for that, and a limit on them. */
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
}: Extract<ToExchangeProcess, { type: 'exchange' }>): Promise<void> {
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

process.on('message', (message: ToExchangeProcess) => {
  if (message.type === 'open') {
    exchanger = createExchanger(createAddressGuard(message.allowedCidrs, askParent), message, handshakes)
    // Reads the public authorities before the first exchange needs them.
    createEndpointContext(null)
    tell({ type: 'ready' })
  } else if (message.type === 'exchange') void exchange(message)
  else if (message.type === 'abort') aborts.get(message.id)?.abort()
  else {
    const { id, error, answers } = message
    lookUps.get(id)?.(error === null ? null : Object.assign(new Error('Not resolved'), error), answers)
    lookUps.delete(id)
  }
})
// The parent decides when this process ends; a service manager may signal every process of the group.
process.on('SIGTERM', () => undefined)
process.on('disconnect', () => {
  process.exit()
})

/** A second thread ends the process when this one hangs. */
const beats = new Int32Array(new SharedArrayBuffer(4))
setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS)
new Worker(new URL('./watch-turns.ts', import.meta.url), { workerData: beats }).unref()
