import { execFileSync } from 'node:child_process'

/** Returns the ids of the running processes for exchanges that this process has started. */
export function listExchangeProcesses(): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      const isOurs = Number(parent) === process.pid && args?.includes('exchange-process') === true
      return isOurs && state?.startsWith('Z') === false ? [Number(pid)] : []
    })
}
