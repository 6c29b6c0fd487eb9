import type { SendMailOptions } from 'nodemailer'
import { loadOnce } from '../load-once.ts'

/** Limit of mails under way at once; an SMTP server sees no more connections from one pool. */
export const MAILS_AT_ONCE = 5
const TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
  dnsTimeout: 10_000,
}
/**
 * A connection is kept for the next mails. If it was closed before a byte of the mail was sent, the mail is sent over
 * another; the outbox or the delivery repeats all other failures.
 */
const POOL = { pool: true, maxConnections: MAILS_AT_ONCE, maxRequeues: 1, idleTimeout: 30_000 } as const
/** A mail consists of our own text alone: nothing in it may name a file or an address to be fetched. */
export const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

/** Connections to one mail server. */
export interface Smtp {
  /**
   * @returns the server's reply
   * @throws its refusal, or the reason why it cannot be reached
   */
  send: (mail: SendMailOptions, limitMs: number) => Promise<string>
  close: () => void
}

/** The library is large, with all its protocols, so it is loaded with the first mail. */
export const loadMailer = () => import('nodemailer')

/** @param url smtp:// or smtps:// */
export function openSmtp(url: string): Smtp {
  const create = async () => (await loadMailer()).createTransport({ ...TIMEOUTS, ...CLOSED, ...POOL, url })
  let opened: Awaited<ReturnType<typeof create>> | undefined
  const open = loadOnce(async () => {
    opened = await create()
    return opened
  })
  return {
    send: async (mail, limitMs) => {
      const signal = AbortSignal.timeout(limitMs)
      const transport = await open()
      const { response } = await transport.sendMail({ ...mail, signal })
      return response
    },
    close: () => opened?.close(),
  }
}

/** Limit of connections to a mail server: `maxConnections` of its URL takes precedence over ours. */
export function connectionsTo(url: string): number {
  return Number(new URL(url).searchParams.get('maxConnections')) || MAILS_AT_ONCE
}

/** The part of an address behind the `@`; ids of mails end with it. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
