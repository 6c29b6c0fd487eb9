import { parseArgs } from 'node:util'
import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import { ADMIN_ROLES } from '#core/contract/accounts/admin-role.ts'
import { loadConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { requireMigrations } from '#core/migrations.ts'
import { changeRole, type RoleChange } from '#server/accounts/people/change-role.ts'

const REFUSALS: Record<Extract<RoleChange, { result: 'refused' }>['reason'], string> = {
  unknown: 'there is no such account; sign up or invite first (accounts of a single sign-on go by their id)',
  unconfirmed: 'its address is not confirmed yet',
  blocked: 'it is banned or suspended',
  member: 'it belongs to a client’s account with several people; they must leave it first',
  last_owner: 'it is the last owner; make another account an owner first',
}
const CALLER = { ip: '::', network: '::', user_agent: 'npm run grant-admin' }

/** Makes an account an administrator with a role, by default owner, or with `--revoke` a client again. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { revoke: { type: 'boolean', default: false } },
  })
  const [given, asked = 'owner', ...more] = positionals
  if (given === undefined || more.length > 0)
    fail('Name one account, and a role if it is not owner: npm run grant-admin -- ada@example.com support')
  const wanted = ADMIN_ROLES.find((role) => role === asked.replace('-', '_'))
  if (wanted === undefined) fail(`${asked} is no role; the roles are ${ADMIN_ROLES.join(', ')}`)
  const { database } = loadConfig(process.env, { standIns: { REDIS_URL: 'redis://not-asked' } })
  const role = values.revoke ? null : wanted
  const account = normaliseEmail(given)
  const { db, close } = openDatabase({ ...database, poolSize: 1, name: 'leadwire-grant-admin' }, fail)
  await requireMigrations(db)
  const change = await changeRole(db, { account, role }, CALLER)
  if (change.result === 'refused') fail(`${account}: ${REFUSALS[change.reason]}`)
  const now = change.result === 'changed' ? 'is now' : 'was already'
  const what = role === null ? 'no administrator' : `an administrator with the role ${ADMIN_ROLE_WORDS[role]}`
  process.stdout.write(`${account} (${change.user_id}) ${now} ${what}\n`)
  // Printed before closing: a database that freezes now would hold up the message.
  await close()
}

function fail(reason: string | Error): never {
  process.stderr.write(`${reason instanceof Error ? reason.message : reason}\n`)
  process.exit(1)
}

await main().catch(fail)
