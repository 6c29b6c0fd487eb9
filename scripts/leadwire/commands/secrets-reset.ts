import { readStoredKeys } from '#core/data/secrets/stored-keys.ts'
import { createKeyring, type Keyring } from '#core/secrets/keyring.ts'
import { SealError } from '#core/secrets/secret-box.ts'
import { resetLostSecrets } from '#core/use-cases/secrets/reset-lost-secrets.ts'
import type { Db } from '#core/data/database.ts'
import { auditChange } from '#server/market/audit-change.ts'
import { defineCommand } from '../command.ts'
import { CommandError } from '../failures.ts'
import { CHANGE_FLAGS, readBy } from '../open-operator.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const secretsReset = defineCommand({
  usage: '[--confirm --as E-MAIL --reason TEXT]',
  about: [
    'For a lost SECRETS_KEY, or damaged values. Set SECRETS_KEY to a new key (and any older ones that you still have), stop every server and worker, and run this. Everything that no key opens is replaced, so that processes start again.',
    'Webhooks get a new signing secret, lose their credentials and are switched off; a worker mails their owners what to do, and their deliveries wait. Second factors by app are removed, their owners are signed out and get a mail. Mails with codes or links are given up, sign-ins under way end.',
    'Without --confirm it only counts, and needs neither --as nor --reason. This cannot be undone: take a backup first.',
  ],
  flags: {
    confirm: { type: 'boolean', help: 'does it' },
    ...CHANGE_FLAGS,
  },
  run: async ({ values, services }) => {
    const config = services.config(WITHOUT_REDIS)
    const { secretsKey } = config
    if (secretsKey === undefined) throw new CommandError('SECRETS_KEY: is required: the key to begin with')
    const db = await services.database({ needs: WITHOUT_REDIS })
    const order = { command: 'secrets reset', needs: 'people' } as const
    const asked = values.confirm ? await readBy({ db, config }, values, order) : undefined
    const lost = await resetLostSecrets(
      { db, keyring: await takePresent(secretsKey, db) },
      {
        isTried: asked === undefined,
        ...(asked !== undefined && {
          record: async (trx, counts) => {
            const details = { ...counts, note: asked.reason }
            await auditChange(trx, asked.by, { action: 'secrets_reset', details })
          },
        }),
      },
    )
    return {
      data: { ...lost, is_done: values.confirm },
      lines: [
        `${lost.webhooks} webhook(s) get a new signing secret or lose credentials, and are off until their owners act`,
        `${lost.factors} second factor(s) by app are removed, and ${lost.sessions} session(s) of their owners end`,
        `${lost.mails} mail(s) with codes or links are given up, ${lost.sign_ins} sign-in(s) under way end`,
        ...(lost.suppressions > 0
          ? [`${lost.suppressions} entries of the suppression list match nobody any more: add the list again`]
          : []),
        values.confirm
          ? 'Done. Start servers and workers with this SECRETS_KEY'
          : 'Nothing was changed; --confirm does it',
      ],
    }
  },
})

/** The keys that are there, whatever the database asks for. */
async function takePresent(secretsKey: string, db: Db): Promise<Keyring> {
  const keyring = createKeyring(secretsKey)
  try {
    keyring.apply(await readStoredKeys(db))
  } catch (error) {
    // The key that sealed is the lost one.
    if (!(error instanceof SealError)) throw error
  }
  return keyring
}
