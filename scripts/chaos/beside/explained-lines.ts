import type { Explained } from './judge-logs.ts'

/**
 * The log messages at level warn or above that are expected during a run, with reasons. Any other message
 * fails the run.
 */
export const EXPLAINED: readonly Explained[] = [
  {
    level: 'warn',
    message: /^endpoint does not answer: breaker open, deliveries held$/,
    of: { program: 'worker' },
    because: 'one endpoint hangs on purpose',
  },
  {
    level: 'warn',
    message: /^endpoint notice$/,
    of: { program: 'worker' },
    because: 'the owner of the endpoint that hangs is told',
  },
]
