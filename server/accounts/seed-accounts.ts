import { sql } from 'kysely'
import type { AuthContext } from './auth-context.ts'
import { hasAccounts } from './people/data/accounts.ts'
import { hashPassword } from './passwords/hash-password.ts'
import { createAccount } from './sign-up/create-account.ts'

/** Any number that no other advisory lock uses. */
const SEED_LOCK = 20_261_121

/**
 * Creates the accounts of `SEED_*` on an empty database, confirmed and usable at once. Safe to run on every
 * start and by several servers together: one creates them, the others wait and find the table filled.
 * @returns how many were created
 */
export async function seedAccounts(context: Pick<AuthContext, 'config' | 'db'>): Promise<number> {
  const { admin, client } = context.config.seed
  return await context.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${SEED_LOCK})`.execute(trx)
    if (await hasAccounts(trx)) return 0
    let created = 0
    for (const [role, account] of [['admin', admin] as const, ['client', client] as const]) {
      if (account === undefined) continue
      const password_hash = await hashPassword(account.password, context.config.auth.password.hashCost)
      const userId = await createAccount(trx, {
        email: account.email,
        password_hash,
        role,
        data: {},
        isConfirmed: true,
      })
      if (userId !== undefined) created += 1
    }
    return created
  })
}
