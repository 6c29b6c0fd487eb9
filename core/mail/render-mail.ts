import { mailSchema } from '../contract/mail.ts'
import { layOutMail } from './lay-out-mail.ts'
import type { MailContent, MailReader } from './mail-content.ts'
import { adjustmentWaits } from './templates/admin-notices.ts'
import { accountMail } from './templates/account-mails.ts'
import { contactNotice, contactReceipt } from './templates/contact-mails.ts'
import { clientNotice } from './templates/client-notices.ts'
import {
  accountHandedOver,
  memberGone,
  memberInvited,
  memberJoined,
  memberRemoved,
  memberRole,
} from './templates/member-mails.ts'
import { administratorRole, secondFactorReset } from './templates/people-mails.ts'
import { endpointFailing, endpointRecovered, endpointSwitchedOff } from './templates/endpoint-notices.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
  /** the page on which the reader ends mails of this kind (RFC 8058) */
  unsubscribeUrl?: string | undefined
}

/** Line breaks would end a header, and other control characters are not allowed in one. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
const MAX_SUBJECT = 200

/**
 * Fills a template.
 * @throws if the template is unknown or its data do not fit, which no repeat fixes
 */
export function renderMail(stored: { template: string; data: unknown }, reader: MailReader): RenderedMail {
  const content = fill(stored, reader)
  const subject = content.subject.replaceAll(CONTROLS, ' ').trim().slice(0, MAX_SUBJECT)
  return { subject, ...layOutMail({ ...content, subject }), unsubscribeUrl: content.unsubscribeUrl }
}

function fill(stored: { template: string; data: unknown }, reader: MailReader): MailContent {
  const mail = mailSchema.parse(stored)
  switch (mail.template) {
    case 'endpoint_failing':
      return endpointFailing(mail.data, reader)
    case 'endpoint_recovered':
      return endpointRecovered(mail.data, reader)
    case 'endpoint_switched_off':
      return endpointSwitchedOff(mail.data, reader)
    case 'contact_message':
      return contactNotice(mail.data, reader)
    case 'contact_receipt':
      return contactReceipt(mail.data, reader)
    case 'adjustment_waits':
      return adjustmentWaits(mail.data, reader)
    case 'administrator_role':
      return administratorRole(mail.data, reader)
    case 'second_factor_reset':
      return secondFactorReset(reader)
    case 'member_invited':
      return memberInvited(mail.data)
    case 'member_joined':
      return memberJoined(mail.data, reader)
    case 'member_role':
      return memberRole(mail.data, reader)
    case 'member_removed':
      return memberRemoved(mail.data)
    case 'member_gone':
      return memberGone(mail.data, reader)
    case 'account_handed_over':
      return accountHandedOver(mail.data, reader)
    case 'account_exists':
    case 'account_confirm':
    case 'account_magic_link':
    case 'account_recovery':
    case 'account_email_change':
    case 'account_invite':
    case 'account_reauthentication':
    case 'account_code':
    case 'revocation_code':
      return accountMail(mail, reader)
    default:
      return clientNotice(mail, reader)
  }
}
