import type { Command } from './command.ts'

/** A command before it is loaded. */
export interface ListedCommand {
  /** one or two words */
  name: string
  /** one line of the general help */
  summary: string
  load: () => Promise<Command>
}

/** EVERY COMMAND, in the order of the general help. A new one is a file of `commands/` and a line here. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'doctor',
    summary: 'checks configuration, PostgreSQL, Redis, clocks, disk and mail server',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'trace',
    summary: 'shows every station of a lead, with times and ids',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
]
