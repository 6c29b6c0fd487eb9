import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import type { MailData } from '#core/contract/mail.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import type { MailContent, MailReader } from '../mail-content.ts'

const REASON = 'You receive this because it is about how you sign in to Leadwire.'

/** Tells a person which role they have as an administrator now. */
export function administratorRole(
  { role }: MailData<'administrator_role'>,
  { publicUrl }: Pick<MailReader, 'publicUrl'>,
): MailContent {
  if (role === null) {
    const title = 'You are no administrator of Leadwire any more'
    return {
      subject: title,
      title,
      paragraphs: ['An owner took the role away. Your account stays, and you were signed out everywhere.'],
      facts: [],
      action: undefined,
      reason: REASON,
    }
  }
  const title = 'You are an administrator of Leadwire'
  return {
    subject: title,
    title,
    paragraphs: ['An owner gave your account this role. You set up a second factor when you first open it.'],
    facts: [['Role', ADMIN_ROLE_WORDS[role]]],
    action: { label: 'Open the administration', url: `${publicUrl}${APP_PATHS.admin}` },
    reason: REASON,
  }
}

/** Tells a person that their second factor is gone, so that they notice if they did not ask for it. */
export function secondFactorReset({ publicUrl }: Pick<MailReader, 'publicUrl'>): MailContent {
  const title = 'Your second factor was reset'
  return {
    subject: title,
    title,
    paragraphs: [
      'An administrator removed the second factors and recovery codes of your account, and you were signed out everywhere. Sign in with your password and set up a new one.',
      'If you did not ask for this, change your password at once and write to us.',
    ],
    facts: [],
    action: { label: 'Sign in', url: `${publicUrl}${APP_PATHS.auth}` },
    reason: REASON,
  }
}
