/** A timer for one action; a new action replaces the pending one. */
export function createTimer() {
  let waiting: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(waiting)
  return {
    stop,
    start(act: () => void, delay: number) {
      stop()
      waiting = setTimeout(act, delay)
    },
  }
}
