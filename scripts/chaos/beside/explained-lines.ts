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
  {
    level: 'warn',
    message: /^lease lost to another sender; attempt logged$/,
    of: { age: 'before', program: 'worker' },
    because: 'older versions say so of a webhook that was deleted while a request to it was under way, too',
  },
  {
    level: 'error',
    message: /^a stage failed and will be repeated · .*"webhook_deliveries_webhook_config_id_fkey"$/,
    of: { age: 'before', program: 'worker' },
    because: 'older versions plan again where a webhook is deleted at the same moment',
  },
]
