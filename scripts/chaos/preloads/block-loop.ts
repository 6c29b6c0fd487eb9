/**
 * Preload for a worker. It blocks the event loop like a long computation: SIGUSR2 for 5 s, SIGWINCH for 30 s.
 */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

process.on('SIGUSR2', () => {
  block(5000)
})
process.on('SIGWINCH', () => {
  block(30_000)
})
