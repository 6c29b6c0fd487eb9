import type { MailData } from '#core/contract/mail.ts'
import { CONTACT_TOPIC_LABELS } from '#core/contract/operations/contact-message.ts'
import { SITE_PATHS } from '#core/contract/paths.ts'
import type { MailContent, MailReader } from '../mail-content.ts'

/**
 * Tells that somebody used the contact form of the public site. The message stays in the database, and is read in the
 * app.
 */
export function contactNotice(
  { reference, topic }: MailData<'contact_message'>,
  { publicUrl }: Pick<MailReader, 'publicUrl'>,
): MailContent {
  return {
    subject: `Message ${reference}: ${CONTACT_TOPIC_LABELS[topic]}`,
    title: 'Somebody wrote to us',
    paragraphs: [
      'It waits for an answer by mail. Read it among the messages, and mark it there once it is answered.',
    ],
    facts: [
      ['Reference', reference],
      ['Topic', CONTACT_TOPIC_LABELS[topic]],
    ],
    action: { label: 'Read the message', url: `${publicUrl}/admin/needs-you` },
    reason: 'You receive this because you administer this installation of Leadwire.',
  }
}

/**
 * A mail to the address that was typed into the form, whose owner may be somebody else. So it repeats nothing that was
 * typed there, and nothing that would make it useful to send to others.
 */
export function contactReceipt(
  { reference, topic, kept_days }: MailData<'contact_receipt'>,
  { publicUrl }: Pick<MailReader, 'publicUrl'>,
): MailContent {
  const isInterest = topic === 'webinars'
  const title = isInterest ? 'You will be told of the first webinar' : 'We have your message'
  return {
    subject: `${title} (${reference})`,
    title,
    paragraphs: [
      isInterest
        ? 'Your address is noted. When the first session has a date you get one mail, and nothing else.'
        : 'A person reads it, and answers by mail to this address. What you wrote is not repeated here.',
      `It is deleted after ${kept_days === 1 ? 'a day' : `${kept_days} days`}. If you did not write to us, somebody mistyped an address: you need not do anything.`,
    ],
    facts: [
      ['Reference', reference],
      ['Topic', CONTACT_TOPIC_LABELS[topic]],
    ],
    action: undefined,
    reason: `You receive this because your address was entered at ${publicUrl}${SITE_PATHS.contact}. Nobody reads answers to this mail: write there again, with the reference.`,
  }
}
