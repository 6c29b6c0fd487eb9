import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Loaded before a server or a worker: when its parent asks `memory`, it collects its garbage and tells what it still holds.
 * What V8 has not collected yet is most of what a busy process seems to use, and says nothing about a leak.
 */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('message', (asked) => {
  if (asked !== 'memory') return
  collect()
  // What finalizers and weak references let go of is garbage only a turn later.
  setImmediate(() => {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send?.({ held: heapUsed + external, resident: rss })
  })
})
// The listener alone must not keep the process alive.
process.channel?.unref()
