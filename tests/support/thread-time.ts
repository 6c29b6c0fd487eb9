/**
 * Starts a clock of this thread's processor time, which other processes do not affect. @returns a function
 * that returns milliseconds
 */
export function startThreadClock(): () => number {
  const begun = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(begun)
    return (user + system) / 1000
  }
}
