import type { LabProcess } from '../../lab/start-process.ts'

/** What is drained, and by what. */
export interface Rig {
  /** makes the work, which nobody begins yet */
  fill: (count: number) => Promise<void>
  /** a process that is ready to begin */
  start: () => Promise<LabProcess>
  begin: (pids: readonly number[]) => Promise<void>
  /** what is not done for good yet, by its own record */
  countOpen: () => Promise<number>
  close: () => Promise<void>
}
