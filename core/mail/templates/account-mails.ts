import type { AccountMail } from '#core/contract/mail.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { showMoment } from '../show-values.ts'

interface Words {
  subject: string
  title: string
  text: string
  action: string
}

const WORDS: Record<AccountMail['template'], Words> = {
  account_confirm: {
    subject: 'Confirm your e-mail address',
    title: 'Confirm your e-mail address',
    text: 'Somebody created a Leadwire account with this address. Confirm that it is yours to sign in.',
    action: 'Confirm the address',
  },
  account_magic_link: {
    subject: 'Your sign-in link',
    title: 'Sign in to Leadwire',
    text: 'Open the link on the device where you want to sign in. It works once.',
    action: 'Sign in',
  },
  account_recovery: {
    subject: 'Choose a new password',
    title: 'Choose a new password',
    text: 'Somebody asked to reset the password of your Leadwire account. The link signs you in once and lets you choose a new one.',
    action: 'Choose a new password',
  },
  account_email_change: {
    subject: 'Confirm the change of your e-mail address',
    title: 'Confirm the change of your e-mail address',
    text: 'The e-mail address of a Leadwire account is to be changed. It changes once every address that was asked has agreed.',
    action: 'Agree to the change',
  },
  account_invite: {
    subject: 'You are invited to Leadwire',
    title: 'You are invited to Leadwire',
    text: 'An administrator invited you to Leadwire. Accept the invitation to sign in; without a password you choose one.',
    action: 'Accept the invitation',
  },
  account_reauthentication: {
    subject: 'Your confirmation code',
    title: 'Confirm that it is you',
    text: 'A change to your Leadwire account needs this code.',
    action: 'Continue',
  },
  account_code: {
    subject: 'Your one-time code',
    title: 'Your one-time code',
    text: 'Type this code where Leadwire asks for it. Nobody of Leadwire will ever ask you for it.',
    action: 'Continue',
  },
  revocation_code: {
    subject: 'Your code to take your consent back',
    title: 'Take your consent back',
    text: 'Type this code on the page where you asked for it. From then on, nobody who got your details from us may contact you.',
    action: 'Continue',
  },
  account_exists: {
    subject: 'You have an account already',
    title: 'You have an account already',
    text: 'Somebody tried to create a Leadwire account with this address, and it has one. Sign in with its password; where you forgot it, the same page sends you a link to choose a new one.',
    action: 'Sign in',
  },
}

/**
 * A mail with which its reader signs in, by a link, a code, or either. If the link still works and the code does not,
 * the code is left out.
 */
export function accountMail({ template, data }: AccountMail, { now }: Pick<MailReader, 'now'>): MailContent {
  const { subject, title, text, action } = WORDS[template]
  const { url } = data
  const code = url !== null && new Date(data.code_expires_at) <= now ? null : data.code
  return {
    subject,
    title,
    paragraphs: [
      text,
      'If this was not you, ignore this mail: nothing happens without the link or the code.',
    ],
    facts: [
      [template === 'revocation_code' ? 'Address' : 'Account', data.address],
      ...(code === null
        ? []
        : ([
            ['Code', code],
            ['Code is good until', showMoment(data.code_expires_at)],
          ] as const)),
      ...(url === null || template === 'account_exists'
        ? []
        : ([['Link is good until', showMoment(data.expires_at)]] as const)),
    ],
    action: url === null ? undefined : { label: action, url },
    reason: 'You get this mail because this address was given to Leadwire.',
  }
}
