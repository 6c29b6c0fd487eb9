import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomically } from '../write-file-atomically.ts'
import type { KeptMail } from './kept-mail.ts'
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

/** Limit of mails under way at once; an SMTP server sees no more connections from one worker. */
export const MAILS_AT_ONCE = 5
/**
 * Limit in milliseconds for sending one mail. A worker that stops waits for it, so a slow mail server gets no longer.
 */
export const SEND_LIMIT_MS = 15_000
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}
/**
 * A connection is kept for the next mails. If it was closed before a byte of the mail was sent, the mail is sent over
 * another; the outbox repeats all other failures.
 */
const POOL = { pool: true, maxConnections: MAILS_AT_ONCE, maxRequeues: 1, idleTimeout: 30_000 } as const
/** A mail consists of our own text alone: nothing in it may name a file or an address to be fetched. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** The library is large, with all its protocols, so it is loaded with the first mail. */
const loadMailer = () => import('nodemailer')

/** Sends by SMTP if a server is given; otherwise writes each mail to a folder. */
export function openMailer(settings: MailSettings): Mailer {
  return settings.smtpUrl === undefined ? openFolder(settings) : openSmtp(settings, settings.smtpUrl)
}

function openSmtp({ from }: MailSettings, url: string): Mailer {
  const open = async () => (await loadMailer()).createTransport({ ...TIMEOUTS, ...CLOSED, ...POOL, url })
  let opened: ReturnType<typeof open> | undefined
  return {
    send: async (mail) => {
      const signal = AbortSignal.timeout(SEND_LIMIT_MS)
      opened ??= open()
      const transport = await opened
      await transport.sendMail({ ...compose(mail, from), signal })
    },
    close: () => void opened?.then((transport) => transport.close()),
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
    messageId: `<${mail.id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
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
