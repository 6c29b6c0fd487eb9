import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Preload for a server or a worker. When its parent sends `memory`, it collects its garbage and reports the
 * remaining memory. Uncollected garbage is most of what a busy process seems to use, and says nothing about a
 * leak.
 */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('message', (asked) => {
  if (asked !== 'memory') return
  collect()
  // Memory released by finalizers and weak references becomes garbage one turn later.
  setImmediate(() => {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send?.({ held: heapUsed + external, resident: rss })
  })
})
// This listener must not keep the process alive.
process.channel?.unref()
