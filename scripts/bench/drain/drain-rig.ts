import type { LabProcess } from '../../lab/start-process.ts'

/** A queue with its work, and the program that drains it. */
export interface Rig {
  /** makes the work, which nobody begins yet */
  fill: (count: number) => Promise<void>
  /** a process that is ready to begin */
  start: () => Promise<LabProcess>
  begin: (pids: readonly number[]) => Promise<void>
  /** items that are not finished by its own record */
  countOpen: () => Promise<number>
  close: () => Promise<void>
}
