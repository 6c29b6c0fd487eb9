import type { CpuTimes } from '../cpu.ts'
import type { OpenLoopResult } from '../open-loop.ts'
import { table, tellFigure, tellMedian, tellRuns } from '../report.ts'
import { costOfLead } from '../report-open-loop.ts'
import type { SocketsResult } from './measure-sockets.ts'

/** The open loop in turns: without sockets, and beside them. */
export interface SocketPair {
  alone: OpenLoopResult
  beside: OpenLoopResult
}

export function socketsTables({ sockets, rate, changes, untold, told, memory, cpu }: SocketsResult): string {
  const { silent, idle, telling } = cpu
  const alone = cpu['writing alone']
  const times = table([
    ['commit to socket', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'changes', 'untold', 'KB a socket'],
    [
      `${tellFigure(sockets)} sockets, ${rate} changes/s`,
      ...[told.p50, told.p95, told.p99, told.max].map((ms) => tellFigure(ms)),
      tellFigure(changes),
      tellFigure(untold),
      tellFigure(memory / 1024, 1),
    ],
  ])
  const perSecond = (name: string, used: CpuTimes): string[] => [
    name,
    ...['server', 'postgres'].map((program) => tellFigure((used[program] ?? Number.NaN) / 1000, 1)),
  ]
  const extra = (['server', 'postgres'] as const).map(
    (program) => ((telling[program] ?? 0) - (alone[program] ?? 0)) / rate,
  )
  const costs = table([
    ['ms of processor time a second', 'server', 'PostgreSQL'],
    perSecond('no socket, no change', silent),
    perSecond('sockets, no change', idle),
    perSecond('no socket, changes', alone),
    perSecond('sockets, changes', telling),
  ])
  const sum = extra.reduce((all, us) => all + us, 0)
  return `${times}\n\n${costs}\n\nOne change told costs ${tellFigure(sum)} µs: server ${tellFigure(extra[0])}, PostgreSQL ${tellFigure(extra[1])}.`
}

export function socketPairsTable(pairs: readonly SocketPair[], sockets: number): string {
  const of = (which: keyof SocketPair): number[] => pairs.map((pair) => costOfLead(pair[which]))
  const ratios = pairs.map(({ alone, beside }) => costOfLead(beside) / costOfLead(alone))
  return table([
    ['ms of processor time a lead', 'runs', 'p95 ms from ingest to receipt'],
    [
      'without sockets',
      tellRuns(of('alone'), 1),
      tellMedian(
        pairs.map(({ alone }) => alone.receipt?.p95),
        1,
      ),
    ],
    [
      `beside ${tellFigure(sockets)} idle sockets`,
      tellRuns(of('beside'), 1),
      tellMedian(
        pairs.map(({ beside }) => beside.receipt?.p95),
        1,
      ),
    ],
    ['ratio of each pair', tellRuns(ratios, 3), ''],
  ])
}
