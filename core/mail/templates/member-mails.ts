import { MEMBER_ROLE_WORDS } from '#core/contract/accounts/member-role-words.ts'
import type { MailData, MemberInvitationMail } from '#core/contract/mail.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import type { MailContent, MailReader } from '../mail-content.ts'
import { showMoment } from '../show-values.ts'

type Reader = Pick<MailReader, 'publicUrl'>

const TO_OWNERS = 'You receive this because you are an owner of the account or invited the person.'
const TO_PERSON = 'You receive this because it is about your access to Leadwire.'

/** Links a signed-in owner or manager to the people of the account. */
const peopleOf = ({ publicUrl }: Reader) => ({
  label: 'Show the people of the account',
  url: `${publicUrl}${APP_PATHS.settings}?tab=team`,
})

/** Invites a person into a client's account. */
export function memberInvited(data: MemberInvitationMail['data']): MailContent {
  const title = `Join ${data.account_name} on Leadwire`
  const inviter = data.invited_by_name ?? 'Somebody there'
  return {
    subject: title,
    title,
    paragraphs: [
      `${inviter} invites you to work in the Leadwire account of ${data.account_name}. Sign in, or sign up, with the address below to accept.`,
      'If you do not know them, ignore this mail: nothing happens without the link.',
    ],
    facts: [
      ['Your role', MEMBER_ROLE_WORDS[data.role]],
      ['For', data.address],
      ['Link is good until', showMoment(data.expires_at)],
    ],
    action: { label: 'Accept the invitation', url: data.url },
    reason: 'You get this mail because this address was given to Leadwire.',
  }
}

/** Tells owners and the inviting person that somebody accepted. */
export function memberJoined({ member_name, role }: MailData<'member_joined'>, reader: Reader): MailContent {
  const title = `${member_name} has joined your account`
  return {
    subject: title,
    title,
    paragraphs: ['The invitation was accepted.'],
    facts: [['Role', MEMBER_ROLE_WORDS[role]]],
    action: peopleOf(reader),
    reason: TO_OWNERS,
  }
}

/** Tells a person that their role in an account is another. */
export function memberRole(
  { account_name, role }: MailData<'member_role'>,
  { publicUrl }: Reader,
): MailContent {
  const title = `Your role at ${account_name} has changed`
  return {
    subject: title,
    title,
    paragraphs: ['It counts from now on. You see what the new role may do when you open Leadwire.'],
    facts: [['Role', MEMBER_ROLE_WORDS[role]]],
    action: { label: 'Open Leadwire', url: `${publicUrl}${APP_PATHS.dashboard}` },
    reason: TO_PERSON,
  }
}

/** Tells a person that they belong to the account no more. */
export function memberRemoved({ account_name }: MailData<'member_removed'>): MailContent {
  const title = `You were removed from ${account_name}`
  return {
    subject: title,
    title,
    paragraphs: [
      'You were signed out everywhere. Your leads stay with the account. Your webhooks there are switched off, and your orders paused.',
      'Your sign-in stays yours: you can still use Leadwire with an account of your own.',
    ],
    facts: [],
    action: undefined,
    reason: TO_PERSON,
  }
}

/** Tells owners what a person who is gone leaves behind. */
export function memberGone({ member_name, removed }: MailData<'member_gone'>, reader: Reader): MailContent {
  const title = removed
    ? `${member_name} was removed from your account`
    : `${member_name} has left your account`
  return {
    subject: title,
    title,
    paragraphs: [
      'Their open leads are shared again. Their webhooks are switched off and their orders paused, until you change that.',
    ],
    facts: [],
    action: peopleOf(reader),
    reason: TO_OWNERS,
  }
}

/** Tells both people of a hand-over. */
export function accountHandedOver(
  { account_name, from_name, to_name, is_yours }: MailData<'account_handed_over'>,
  reader: Reader,
): MailContent {
  const title = is_yours ? `You own ${account_name} now` : `${to_name} owns ${account_name} now`
  return {
    subject: title,
    title,
    paragraphs: [
      is_yours
        ? `${from_name} handed the account over to you. Mails about its balance, payments and webhooks come to you from now on.`
        : 'You handed the account over. If this was not you, write to us at once.',
    ],
    facts: [],
    action: is_yours ? peopleOf(reader) : undefined,
    reason: TO_PERSON,
  }
}
