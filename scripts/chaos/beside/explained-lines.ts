import type { Explained } from './judge-logs.ts'

/** What a log may say at level warn or above during a run, and why. Whatever is not here fails it. */
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
