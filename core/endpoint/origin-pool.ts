import { errors, Pool } from 'undici'

/**
 * The connections to one origin, as an Agent makes them, except that the Agent forgets them when the last is gone.
 * undici (8.12) checks that only at a disconnect, when a request that was cut off still counts as pending. So it would
 * keep each origin whose endpoint exceeded a time limit, or was left in the middle of its answer, for the life of the
 * process.
 */
export function openOriginPool(origin: string | URL, options: object): Pool {
  const pool = new Pool(origin, options)
  let isLooking = false
  const lookAgain = (): void => {
    if (isLooking) return
    isLooking = true
    // By then the cut off request is out of the queue.
    setImmediate(() => {
      const { connected, size } = pool.stats
      // The Agent listens to this event, checks for itself, and closes the pool.
      if (connected === 0 && size === 0 && !pool.closed) {
        pool.emit('disconnect', new URL(origin), [pool], new errors.InformationalError('unused'))
      }
      isLooking = false
    })
  }
  pool.on('disconnect', lookAgain)
  pool.on('connectionError', lookAgain)
  return pool
}
