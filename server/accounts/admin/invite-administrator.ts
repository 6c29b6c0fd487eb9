import type { AdminPerson, Invitation } from '#core/contract/accounts/admin-people.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { AppError } from '#core/errors.ts'
import type { Db } from '#core/data/database.ts'
import type { ServerContext } from '#server/context.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { spendMail } from '../guards/spend-mail.ts'
import { issueOneTime, queueOneTimeMail } from '../codes/issue-one-time.ts'
import { findRole } from '../people/data/roles.ts'
import { findUserByEmail, lockUser, type User } from '../people/data/users.ts'
import { prepareInvitation } from '../people/invite-user.ts'
import { auditPerson, type By } from './change-person.ts'
import { setInvitedRole } from './data/invitations.ts'
import { sharesAccount, isAddressProven } from './forget-registration.ts'
import { requirePerson } from './show-people.ts'

/**
 * Invites a person as an administrator. The role counts once they open the mailed link, also for an account that exists:
 * only that proves that the person reads the address's mail.
 * @throws AppError validation_failed, conflict, rate_limited
 */
export async function inviteAdministrator(
  context: ServerContext,
  by: By,
  { email: given, admin_role: role, reason }: Invitation,
): Promise<AdminPerson> {
  const email = normaliseEmail(given)
  const [fault] = validateEmail(email)
  if (fault !== undefined) {
    const errors = [{ path: 'email', message: EMAIL_WORDS[fault] }]
    throw new AppError('validation_failed', 'This is no email address.', { errors })
  }
  await spendMail(context)
  const id = await context.db.transaction().execute(async (trx) => {
    const known = await findUserByEmail(trx, email)
    const user = known === undefined ? undefined : await lockUser(trx, known.id)
    if (user !== undefined) await refuseUnfit(context, trx, user)
    const { userId, secrets } =
      user === undefined || user.email_confirmed_at === null
        ? await prepareInvitation(context, trx, { email, data: {} })
        : {
            userId: user.id,
            secrets: await issueOneTime(context, trx, { user_id: user.id, kind: 'invite', sentTo: email }),
          }
    await setInvitedRole(trx, userId, role)
    const keepsPassword =
      user !== undefined && user.password_hash !== null && isAddressProven(context.config, user)
    await queueOneTimeMail(context, trx, {
      user_id: userId,
      template: 'account_invite',
      to: email,
      secrets,
      // After `invite` the app asks for a password.
      link: {
        type: keepsPassword ? 'email' : 'invite',
        redirectTo: `${context.config.http.publicUrl}${APP_PATHS.admin}`,
      },
    })
    const details = { after: { role }, note: reason }
    await auditPerson(trx, by, { action: 'administrator_invited', user_id: userId, details })
    return userId
  })
  return await requirePerson(context, id)
}

/** @throws AppError conflict */
async function refuseUnfit({ config }: ServerContext, trx: Db, user: User): Promise<void> {
  if (await isUserBlocked(trx, user.id))
    throw new AppError('conflict', 'This account is banned or suspended.')
  if ((await findRole(trx, user.id)) !== null)
    throw new AppError('conflict', 'This person is an administrator already. Change the role in the list.')
  if (await sharesAccount(trx, user.id))
    throw new AppError(
      'conflict',
      'This person belongs to a client’s account with other people, and would administer it. They must part first.',
    )
  // Somebody who only proved a phone can sign in to this account, and need not own the address.
  if (user.phone_confirmed_at !== null && !isAddressProven(config, user))
    throw new AppError(
      'conflict',
      'An account with this address is not confirmed. Its person must confirm it first.',
    )
}
