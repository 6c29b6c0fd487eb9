import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomically } from '../write-file-atomically.ts'
import type { KeptMail } from './kept-mail.ts'
import type { RenderedMail } from './render-mail.ts'

/** A rendered mail with its address. `id` is that of its row; it becomes the Message-ID, so that a repeat is known as one. */
export interface OutgoingMail extends RenderedMail {
  id: string
  created_at: Date
  to: { name: string; address: string }
}

export interface Mailer {
  /** Ends within {@link SEND_LIMIT_MS}. @throws the mail server's refusal, or why it cannot be reached */
  send: (mail: OutgoingMail) => Promise<void>
  close: () => void
}

export interface MailSettings {
  smtpUrl: string | undefined
  from: { name: string; address: string }
  /** where mails go when there is no mail server */
  folder: string
}

/** How many mails may be under way at once; an SMTP server sees no more connections from one worker. */
export const MAILS_AT_ONCE = 5
/** From its handing over to its end. A worker that stops waits for it, so a mail server that trickles gets no longer. */
export const SEND_LIMIT_MS = 15_000
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}
/**
 * A connection is kept for the next mails. Found closed before a byte of the mail was sent, the mail goes over another; anything
 * else is for the outbox to repeat.
 */
const POOL = { pool: true, maxConnections: MAILS_AT_ONCE, maxRequeues: 1, idleTimeout: 30_000 } as const
/** A mail is made of our own text alone: nothing in it may name a file or an address to be fetched. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** With all its protocols it is large, so that it is loaded with the first mail. */
const loadMailer = () => import('nodemailer')

/** Sends by SMTP where a server is given; otherwise writes each mail to a folder. */
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
      // Only its owner may read it: mails can hold what lets people in.
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
    // An object, not a line of text: commas and brackets in a name cannot add a recipient.
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // Keeps holiday notices away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
