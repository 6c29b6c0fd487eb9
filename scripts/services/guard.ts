// Runs one service in its own process group and stops it when our standard input ends, which also happens
// when the process that started us is killed with SIGKILL.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const GRACE_MS = 15_000

interface Order {
  command: string
  args: string[]
  cwd: string
  uid?: number
  gid?: number
  stopSignal: NodeJS.Signals
}

const order = JSON.parse(process.argv[2] ?? '') as Order
const owner = order.uid === undefined || order.gid === undefined ? {} : { uid: order.uid, gid: order.gid }
const service = spawn(order.command, order.args, {
  cwd: order.cwd,
  stdio: ['ignore', 'inherit', 'inherit'],
  ...owner,
})

let stopping = false
function stop() {
  if (stopping) return
  stopping = true
  service.kill(order.stopSignal)
  setTimeout(() => service.kill('SIGKILL'), GRACE_MS).unref()
}

service.on('error', (error) => {
  console.error(error.message)
  process.exit(127)
})
// The exit status of a shell, from which guarded-process.ts reads the signal.
service.on('exit', (code, signal) => {
  process.exit(stopping ? 0 : (code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
})
process.stdin.on('end', stop).on('error', stop).resume()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
