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
  {
    name: 'stuck',
    summary: 'finds what should have gone on by now, and says what to do',
    load: async () => (await import('./commands/stuck.ts')).stuck,
  },
  {
    name: 'verify',
    summary: 'checks that money, leads and deliveries add up; for cron',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    name: 'backup',
    summary: 'takes a backup of database and files, or checks one by restoring it',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'restores a backup into an empty database, and verifies it',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'pause',
    summary: 'pauses a client, a webhook, a queue or a source',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  {
    name: 'resume',
    summary: 'resumes what was paused',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  {
    name: 'resend',
    summary: 'sends finally failed deliveries again, by client, webhook, error and time',
    load: async () => (await import('./commands/resend.ts')).resend,
  },
  {
    name: 'retry-failed',
    summary: 'has failed events planned again, or failed mails sent again',
    load: async () => (await import('./commands/retry-failed.ts')).retryFailedCommand,
  },
  {
    name: 'erase',
    summary: 'erases a person everywhere, by e-mail or phone',
    load: async () => (await import('./commands/erase.ts')).erase,
  },
  {
    name: 'admin create',
    summary: 'makes an account an administrator, or takes the role away',
    load: async () => (await import('./commands/admin-create.ts')).adminCreate,
  },
  {
    name: 'admin reset-factor',
    summary: 'removes the second factor of a person who has lost it',
    load: async () => (await import('./commands/admin-reset-factor.ts')).adminResetFactor,
  },
  {
    name: 'retention',
    summary: 'says what is older than it is kept, or removes it now',
    load: async () => (await import('./commands/retention.ts')).retention,
  },
  {
    name: 'service-keys make',
    summary: 'makes a key for a program that administers accounts',
    load: async () => (await import('./commands/service-keys-make.ts')).serviceKeysMake,
  },
  {
    name: 'service-keys list',
    summary: 'lists these keys, with their last use',
    load: async () => (await import('./commands/service-keys-list.ts')).serviceKeysList,
  },
  {
    name: 'service-keys revoke',
    summary: 'ends one of these keys at once',
    load: async () => (await import('./commands/service-keys-revoke.ts')).serviceKeysRevoke,
  },
  {
    name: 'signing-keys rotate',
    summary: 'gives webhooks that are signed with Ed25519 new keys',
    load: async () => (await import('./commands/signing-keys-rotate.ts')).signingKeysRotate,
  },
  {
    name: 'secrets rotate',
    summary: 'seals stored secrets again with the newest key of SECRETS_KEY',
    load: async () => (await import('./commands/secrets-rotate.ts')).secretsRotate,
  },
  {
    name: 'secrets reset',
    summary: 'gives up values that no key of SECRETS_KEY opens, after a key was lost',
    load: async () => (await import('./commands/secrets-reset.ts')).secretsReset,
  },
]
