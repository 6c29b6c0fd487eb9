/** One thing to do later: what is asked last counts. */
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
