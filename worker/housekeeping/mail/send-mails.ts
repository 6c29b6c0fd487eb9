import { claimMail, type ClaimedMail } from '#core/data/outbox/due-mails.ts'
import { MAILS_AT_ONCE, SEND_LIMIT_MS } from '#core/mail/open-mailer.ts'
import { limitParallel } from '#core/pace/limit-parallel.ts'
import { sendMail, type MailContext } from './send-mail.ts'
import { watchMailServer } from './watch-mail-server.ts'

/** The rest is for what somebody waits for: notices that hang keep no code back. */
const NOTICES_AT_ONCE = MAILS_AT_ONCE - 2
/** Four times what a mail may take, so that nobody else sends it meanwhile. */
const LEASE_MS = 4 * SEND_LIMIT_MS

/** A mail that was claimed, and until when by this machine's clock its sending may begin. */
interface OwnMail {
  mail: ClaimedMail
  startBefore: number
}

/**
 * Sends what is due in the outbox of mails, several at once, and one at a time to each person: who has a mailbox that hangs holds up
 * his own mails alone. While the mail server takes nothing, each run tries one. Several workers may do this at once: a
 * mail belongs to who holds its lease.
 * @returns `sendMails` starts what is due and does not wait for it, `settle` does
 */
export function createSendMails(context: MailContext): {
  sendMails: (signal?: AbortSignal) => Promise<void>
  settle: () => Promise<void>
} {
  const server = watchMailServer(context.logger)
  const underWay = new Map<string, ClaimedMail>()
  const lanes = new Set<Promise<void>>()
  const inTurn = limitParallel(1, Infinity, () => new Error('nobody is turned away'))

  /** One after the other, so that each sees what the others took. */
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
      // A process that slept that long has lost the mail to another one.
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
      // Where PostgreSQL is away, the next run meets that too, and says so.
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
