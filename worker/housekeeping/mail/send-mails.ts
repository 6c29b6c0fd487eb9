import { claimMail, type ClaimedMail } from '#core/data/outbox/due-mails.ts'
import { SEND_LIMIT_MS } from '#core/mail/open-mailer.ts'
import { MAILS_AT_ONCE } from '#core/mail/open-smtp.ts'
import { limitParallel } from '#core/concurrency/limit-parallel.ts'
import { sendMail, type MailContext } from './send-mail.ts'
import { watchMailServer } from './watch-mail-server.ts'

/** Two slots stay free for mails that somebody waits for, so that slow notices do not delay a code. */
const NOTICES_AT_ONCE = MAILS_AT_ONCE - 2
/** Four times the limit of sending one mail, so that no other worker sends it meanwhile. */
const LEASE_MS = 4 * SEND_LIMIT_MS

/** A claimed mail, and the time until which its sending may begin, by this machine's clock. */
interface OwnMail {
  mail: ClaimedMail
  startBefore: number
}

/**
 * Sends due mails: several at once, but one at a time to each person, so that a slow mailbox delays only its own mails.
 * While the mail server takes no mail, each run tries one. Several workers may do this at once: a mail belongs to the
 * worker that holds its lease.
 * @returns `sendMails` starts due mails without waiting for them; `settle` waits for them
 */
export function createSendMails(context: MailContext): {
  sendMails: (signal?: AbortSignal) => Promise<void>
  settle: () => Promise<void>
} {
  const server = watchMailServer(context.logger)
  const underWay = new Map<string, ClaimedMail>()
  const lanes = new Set<Promise<void>>()
  const inTurn = limitParallel(1, Infinity, () => new Error('nobody is turned away'))

  /** Claims one after the other, so that each claim sees what the others took. */
  function claim(): Promise<OwnMail | undefined> {
    return inTurn(async () => {
      if (underWay.size >= (server.isAway() ? 1 : MAILS_AT_ONCE)) return undefined
      const mails = [...underWay.values()]
      const notices = mails.filter(({ sealed_data }) => sealed_data === null)
      const startBefore = Date.now() + LEASE_MS - SEND_LIMIT_MS
      const mail = await claimMail(context.db, {
        leaseSeconds: LEASE_MS / 1000,
        busy: mails.map(({ recipient_id }) => recipient_id),
        withNotices: notices.length < NOTICES_AT_ONCE,
      })
      if (mail === undefined) return undefined
      underWay.set(mail.id, mail)
      return { mail, startBefore }
    })
  }

  async function send({ mail, startBefore }: OwnMail): Promise<{ goesOn: boolean }> {
    try {
      // The lease may be over, for example because the process slept. Another process may have the mail.
      if (Date.now() >= startBefore) return { goesOn: true }
      const told = await sendMail(context, mail)
      server.note(told, mail.id)
      return { goesOn: told?.served !== false }
    } catch (error) {
      context.logger.error({ err: error, mail_id: mail.id }, 'what became of a mail could not be recorded')
      return { goesOn: false }
    } finally {
      underWay.delete(mail.id)
    }
  }

  async function runLane(first: OwnMail, signal: AbortSignal | undefined): Promise<void> {
    let next: OwnMail | undefined = first
    while (next !== undefined) {
      const { goesOn } = await send(next)
      if (!goesOn || signal?.aborted === true) return
      // If PostgreSQL is away, the next run fails as well and logs it.
      next = await claim().catch(() => undefined)
    }
  }

  return {
    sendMails: async (signal) => {
      for (let first = await claim(); first !== undefined; first = await claim()) {
        const lane = runLane(first, signal).finally(() => lanes.delete(lane))
        lanes.add(lane)
        if (signal?.aborted === true) return
      }
    },
    settle: async () => {
      while (lanes.size > 0) await Promise.all(lanes)
    },
  }
}
