/** Why a mail was not accepted, in codes only: a mail server's own words quote the address. */
export interface MailFailure {
  /** nodemailer's code: EENVELOPE, EAUTH, ETIMEDOUT, … */
  code: string
  /**
   * the SMTP command that got this answer, without its arguments: `RCPT TO`, `DATA`, `AUTH PLAIN`, …; undefined if
   * there was none
   */
  command: string | undefined
  /** the three digits of the answer (RFC 5321 §4.2) */
  reply: number | undefined
  /** the enhanced status code after them (RFC 3463), if the server sends it */
  status: string | undefined
}

/**
 * `refused`: this mail will never be accepted, so no further try is made. `deferred`: this mail is not accepted now.
 * `unserved`: the server accepts no mail from us now, or cannot be reached; that says nothing about the mail.
 */
export type MailVerdict = 'refused' | 'deferred' | 'unserved'

/** The commands whose answers are about one mail: its recipient, or its content. */
const OF_THE_MAIL = ['RCPT TO', 'DATA']
/** RFC 5321 §4.2.3 and RFC 7504 (556): the mailbox does not exist or accepts no mail, or the transaction failed. */
const FOR_GOOD = [550, 551, 553, 554, 556]
/** About an address, but the sender's (RFC 3463 §3.2). */
const SENDERS_ADDRESS = ['5.1.7', '5.1.8']
/** RFC 3463 §3.5: the mail system is congested. Gmail says it to a sender whose mails of the day are used up. */
const CONGESTED = '5.4.5'
/** RFC 3463 §3: subjects of status codes about one mail's address, mailbox or content. */
const OF_ONE_MAIL = ['1', '2', '6']
/** RFC 5321 §4.2.3: a mailbox that is busy, or full. */
const OF_ONE_MAILBOX = [450, 552]

/**
 * Whether a mail that failed is worth another try. A wrong password, a relay that does not know us, or a wrongly
 * configured sender or policy must not lose a mail. So a refusal is final only if all of this is true:
 *
 * - It answers RCPT TO or DATA. A failure before that (connection, greeting, EHLO, STARTTLS, AUTH, MAIL FROM), or
 *   without an answer, is the installation's: 535, 530, 421, 550 to the sender.
 * - It is a 5yz, and so is its enhanced status code. Any 4yz defers the mail, except 421: the server closes.
 * - The status code's subject (RFC 3463 §3) is 1 the address (5.1.7 and 5.1.8 are the sender's), 2 the mailbox or 6 the
 *   content. 3 the mail system, 5 the protocol and 7 the policy (relaying, login, encryption, SPF, DKIM) are the
 *   installation's, and so is 5.4.5, a congested system.
 * - If there is no status code, or its subject is 0 or 4, the answer is 550, 551, 553, 554 or 556. 552 defers (RFC 5321
 *   §4.5.3.1.10); 503, 530, 535 and the rest are the installation's.
 */
export function judgeMailFailure({ command, reply, status }: MailFailure): MailVerdict {
  if (reply === undefined || reply === 421) return 'unserved'
  if (command === undefined || !OF_THE_MAIL.includes(command)) return 'unserved'
  if (status === CONGESTED) return 'unserved'
  if (reply < 500 || status?.startsWith('4.') === true) return reply < 400 ? 'unserved' : 'deferred'
  switch (status?.split('.')[1]) {
    case '1':
      return SENDERS_ADDRESS.includes(status) ? 'unserved' : 'refused'
    case '2':
    case '6':
      return 'refused'
    case '3':
    case '5':
    case '7':
      return 'unserved'
    default:
      if (reply === 552) return 'deferred'
      return FOR_GOOD.includes(reply) ? 'refused' : 'unserved'
  }
}

/**
 * Whether a failed delivery by mail is the mail server's, and so the installation's: the server was not reached, does not
 * let us in, or is full, busy or out of its quota (421, 451, 452, 454). A mailbox that is busy or full is its owner's.
 */
export function blamesMailServer(failure: MailFailure): boolean {
  const verdict = judgeMailFailure(failure)
  if (verdict !== 'deferred') return verdict === 'unserved'
  const { reply = 0, status = '' } = failure
  if (status === '4.1.7' || status === '4.1.8') return true
  const subject = status.split('.')[1] ?? '0'
  return subject === '0' ? !OF_ONE_MAILBOX.includes(reply) : !OF_ONE_MAIL.includes(subject)
}
