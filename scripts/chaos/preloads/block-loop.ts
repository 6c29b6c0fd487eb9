/** Loaded before a worker: blocks its event loop, as a long computation would; SIGUSR2 for 5 s, SIGWINCH for 30 s. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

process.on('SIGUSR2', () => {
  block(5000)
})
process.on('SIGWINCH', () => {
  block(30_000)
})
