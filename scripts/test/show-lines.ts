import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Shows a program's output line by line, each under the program's name, because several run at once. */
export function showLines(name: string, stream: Readable): void {
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim() !== '') say(`${name.padEnd(8)} │ ${line}`)
  })
}

const REMINDER_MS = 10_000
let saidAt = performance.now()

export function say(line: string): void {
  saidAt = performance.now()
  console.log(line)
}

/** Prints every 10 s without another line that `what` continues; returns a function that stops this. */
export function remind(what: () => string): () => void {
  const timer = setInterval(() => {
    if (performance.now() - saidAt >= REMINDER_MS) say(`· still at it: ${what()}`)
  }, 1_000)
  return () => clearInterval(timer)
}
