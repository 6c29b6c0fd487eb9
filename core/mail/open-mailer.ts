import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomically } from '../write-file-atomically.ts'
import type { KeptMail } from './kept-mail.ts'
import { CLOSED, domainOf, loadMailer, openSmtp } from './open-smtp.ts'
import type { RenderedMail } from './render-mail.ts'

/**
 * A rendered mail with its address. `id` is that of its row; it becomes the Message-ID, so that a repeat is recognised.
 */
export interface OutgoingMail extends RenderedMail {
  id: string
  created_at: Date
  to: { name: string; address: string }
}

export interface Mailer {
  /**
   * Ends within {@link SEND_LIMIT_MS}.
   * @throws the mail server's refusal, or the reason why it cannot be reached
   */
  send: (mail: OutgoingMail) => Promise<void>
  close: () => void
}

export interface MailSettings {
  smtpUrl: string | undefined
  from: { name: string; address: string }
  /** the folder for mails if there is no mail server */
  folder: string
}

/**
 * Limit in milliseconds for sending one mail. A worker that stops waits for it, so a slow mail server gets no longer.
 */
export const SEND_LIMIT_MS = 15_000

/** Sends by SMTP if a server is given; otherwise writes each mail to a folder. */
export function openMailer(settings: MailSettings): Mailer {
  return settings.smtpUrl === undefined ? openFolder(settings) : sendBySmtp(settings, settings.smtpUrl)
}

function sendBySmtp({ from }: MailSettings, url: string): Mailer {
  const smtp = openSmtp(url)
  return {
    send: async (mail) => {
      await smtp.send(compose(mail, from), SEND_LIMIT_MS)
    },
    close: smtp.close,
  }
}

function openFolder({ from, folder }: MailSettings): Mailer {
  return {
    send: async (mail) => {
      const { createTransport } = await loadMailer()
      const transport = createTransport({ ...CLOSED, streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(compose(mail, from))
      const kept: KeptMail = {
        id: mail.id,
        at: mail.created_at.toISOString(),
        to: mail.to.address,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      }
      // Only its owner may read it: mails can hold codes and links for signing in.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const base = path.join(folder, mail.id)
      await writeFileAtomically(`${base}.eml`, message as Buffer)
      await writeFileAtomically(`${base}.json`, `${JSON.stringify(kept, null, 2)}\n`)
    },
    close: () => undefined,
  }
}

function compose(mail: OutgoingMail, from: MailSettings['from']) {
  return {
    messageId: `<${mail.id}@${domainOf(from.address)}>`,
    date: mail.created_at,
    from,
    // The address is an object, not a line of text, so that commas and brackets in a name cannot add a recipient.
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: {
      // This header suppresses holiday notices (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${oneClickUrl(mail.unsubscribeUrl)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** A mail program posts to the API itself, without showing the page (RFC 8058 §3.1). */
function oneClickUrl(page: string): string {
  return page.replace('/unsubscribe?', '/api/v1/unsubscribe?')
}
