import type { AuthClient } from '@supabase/auth-js'
import { PASSWORD } from '#tests/support/given/password.ts'
import type { AuthServer } from '../wire/start-auth-server.ts'

/** Starts the set-up of an authenticator app as a factor. */
export async function enrollTotp(client: InstanceType<typeof AuthClient>, friendlyName = '') {
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error !== null) throw new Error('the factor was not enrolled', { cause: error })
  return { factorId: data.id, secret: data.totp.secret }
}

/** Signs in in another browser, by password and code. */
export async function signInWithTotp(
  server: AuthServer,
  email: string,
  { factorId, code }: { factorId: string; code: string },
) {
  const client = server.newClient()
  await client.signInWithPassword({ email, password: PASSWORD })
  const { data, error } = await client.mfa.challengeAndVerify({ factorId, code })
  if (error !== null) throw new Error('the code was refused', { cause: error })
  return data
}

/** Ages a user's used codes by half a minute. */
export async function forgetUsedStep(server: AuthServer, userId: string): Promise<void> {
  await server.context.db
    .updateTable('auth.factors')
    .set({ last_used_step: null })
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the audit rows about a user's factors, oldest first. */
export async function listFactorAudit(server: AuthServer, userId: string): Promise<string[]> {
  const rows = await server.context.db
    .selectFrom('auth.audit_log')
    .select('action')
    .where('user_id', '=', userId)
    .where('action', 'like', 'factor_%')
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
