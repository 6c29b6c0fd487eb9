import type { MailSettings } from './open-mailer.ts'
import { connectionsTo, openSmtp } from './open-smtp.ts'

/** A delivery as a mail; its headers by their names in lower case, with `to`, `subject` and `message-id` among them. */
export interface LeadMail {
  headers: Readonly<Record<string, string>>
  text: string
}

export interface LeadMailer {
  /**
   * @returns the mail server's reply
   * @throws its refusal, or the reason why it cannot be reached
   */
  send: (mail: LeadMail, limitMs: number) => Promise<string>
  /** mails under way at once; further ones wait in its queue */
  atOnce: number
  close: () => void
}

/**
 * Sends deliveries by mail, over connections of their own, so that codes for signing in never wait behind leads.
 * @returns undefined if there is no mail server
 */
export function openLeadMailer({
  smtpUrl,
  from,
}: Pick<MailSettings, 'smtpUrl' | 'from'>): LeadMailer | undefined {
  if (smtpUrl === undefined) return undefined
  const smtp = openSmtp(smtpUrl)
  return {
    send: async ({ headers: given, text }, limitMs) => {
      const { to = '', subject = '', 'message-id': messageId = '', 'content-type': _type, ...ours } = given
      const headers = { ...ours, 'Auto-Submitted': 'auto-generated' }
      // An address as an object is never read as a list of them.
      return await smtp.send(
        { messageId, from, to: { name: '', address: to }, subject, text, headers },
        limitMs,
      )
    },
    atOnce: connectionsTo(smtpUrl),
    close: smtp.close,
  }
}
