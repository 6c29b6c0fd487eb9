import { takeKeyring } from '#core/secrets/secrets-key.ts'
import { planRotation, rotateSecrets, type Rotation } from '#core/use-cases/secrets/rotate-secrets.ts'
import { defineCommand, type Answer } from '../command.ts'
import { WITHOUT_REDIS } from '../open-services.ts'

export const secretsRotate = defineCommand({
  usage: '',
  about: [
    'Makes the first key of SECRETS_KEY the one that seals, and seals every stored value again with it, while servers and workers run. Restart all of them with SECRETS_KEY=new,old before (docs/operations/keys.md), and with the new key alone after it.',
    'Works in small batches and waits for no lock. You may interrupt and repeat it. It waits up to 10 s until every process seals with the new key.',
    'The exit code is 1 if values remain that are sealed with an older key, or that no key opens.',
  ],
  flags: {
    'dry-run': { type: 'boolean', help: 'counts the values by column and key, and changes nothing' },
  },
  run: async ({ values, services, note }) => {
    const db = await services.database({ needs: WITHOUT_REDIS })
    const context = { db, keyring: await takeKeyring(services.config(WITHOUT_REDIS), db) }
    if (!values['dry-run']) return show(await rotateSecrets(context, { tell: note }), true)
    return show(await planRotation(context), false)
  },
})

function show(done: Rotation, isRun: boolean): Answer {
  const { counts, keys, unreadable, is_done } = done
  const width = Math.max(0, ...counts.map(({ column }) => column.length))
  const older = counts.filter(({ key }) => key !== done.sealing).reduce((sum, { count }) => sum + count, 0)
  return {
    isWrong: isRun && !is_done,
    data: done,
    lines: [
      ...counts.map(
        ({ column, key, count }) => `${column.padEnd(width)}  ${(key ?? 'first').padEnd(8)}  ${count}`,
      ),
      '',
      ...keys.map(({ id, needed_because }) =>
        needed_because === null
          ? `key ${id}: may be removed from SECRETS_KEY; links to posting specifications that it signed end then`
          : `key ${id}: must stay in SECRETS_KEY: ${needed_because}`,
      ),
      ...unreadable.map(
        ({ column, count }) => `${count} value(s) of ${column} open with no key (leadwire secrets reset)`,
      ),
      is_done
        ? 'No value is sealed with an older key'
        : `${older} value(s) are not sealed with the newest key by name`,
    ],
  }
}
