import type { MailData } from '#core/contract/mail.ts'
import { CONTACT_TOPIC_LABELS } from '#core/contract/operations/contact-message.ts'
import type { MailContent, MailReader } from '../mail-content.ts'

/** Somebody wrote by the public site's form. What he wrote stays in the database, and is read in the app. */
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
    action: { label: 'Read the message', url: `${publicUrl}/admin?tab=messages` },
    reason: 'You receive this because you administer this installation of Leadwire.',
  }
}
