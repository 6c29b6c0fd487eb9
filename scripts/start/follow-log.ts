import { closeSync, openSync, readSync, statSync } from 'node:fs'

const INTERVAL_MS = 100

/**
 * Calls `onLine` with every whole line that is added to `file` from now on. Programs write their logs to a
 * file and not to our pipe, so that nothing is lost and no program hangs if we end before it.
 * @returns stops following, after the last line
 */
export function followLog(file: string, onLine: (line: string) => void): () => void {
  let position = statSync(file).size
  let rest = Buffer.alloc(0)
  const handle = openSync(file, 'r')
  const chunk = Buffer.alloc(64 * 1024)

  function read() {
    for (;;) {
      const length = readSync(handle, chunk, 0, chunk.length, position)
      if (length === 0) return
      position += length
      rest = Buffer.concat([rest, chunk.subarray(0, length)])
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        onLine(rest.subarray(0, end).toString('utf8'))
        rest = rest.subarray(end + 1)
      }
    }
  }

  const timer = setInterval(read, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    read()
    closeSync(handle)
  }
}
