// Preload (node --import) for a process that was started with an IPC channel: when the channel breaks, the
// parent has ended, and the process stops as if it had been asked to.
import { Worker } from 'node:worker_threads'

/** Longer than any drain of the product. */
const GRACE_MS = 25_000

// In its own thread, because the main one may hang at its end: without its output, sonic-boom's flushSync
// retries for ever (version 4.2.1, on EPIPE).
const LAST_RESORT = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${GRACE_MS})`

process.once('disconnect', () => {
  new Worker(LAST_RESORT, { eval: true }).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()
