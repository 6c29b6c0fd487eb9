/** Why a mail was not taken, in codes alone: a mail server's own words quote the address. */
export interface MailFailure {
  /** nodemailer's word for it: EENVELOPE, EAUTH, ETIMEDOUT, … */
  code: string
  /** the SMTP command that was answered so, without what follows it: `RCPT TO`, `DATA`, `AUTH PLAIN`, …; undefined where none was */
  command: string | undefined
  /** the three digits of the answer (RFC 5321 §4.2) */
  reply: number | undefined
  /** the enhanced status code behind them (RFC 3463), where the server speaks it */
  status: string | undefined
}

/**
 * `refused`: this mail will never be taken, no try is worth making. `deferred`: this mail not now. `unserved`: the server takes
 * nothing from us now, or cannot be reached; that says nothing of the mail.
 */
export type MailVerdict = 'refused' | 'deferred' | 'unserved'

/** The commands whose answer speaks of one mail: its recipient, or its content. */
const OF_THE_MAIL = ['RCPT TO', 'DATA']
/** RFC 5321 §4.2.3 and RFC 7504 (556): no such mailbox here, none by that name, none at all, or the transaction failed. */
const FOR_GOOD = [550, 551, 553, 554, 556]
/** Of an address, but the sender's (RFC 3463 §3.2). */
const SENDERS_ADDRESS = ['5.1.7', '5.1.8']

/**
 * Whether a mail that failed is worth another try. A wrong password, a relay that does not know us, a sender or a policy that
 * is set up wrongly must cost no mail, so a refusal is for good only where all of this holds:
 *
 * - It answers RCPT TO or DATA. Whatever fails before (connection, greeting, EHLO, STARTTLS, AUTH, MAIL FROM) or unanswered is
 *   the installation's: 535, 530, 421, 550 to the sender.
 * - It is a 5yz, and so is its enhanced status code. Any 4yz defers the mail, but for 421: the server closes.
 * - The status code's subject (RFC 3463 §3) is 1 the address (5.1.7 and 5.1.8 are the sender's), 2 the mailbox or 6 the
 *   content. 3 the mail system, 5 the protocol and 7 the policy (relaying, login, encryption, SPF, DKIM) are the installation's.
 * - Where there is no status code, or its subject is 0 or 4: the answer is 550, 551, 553, 554 or 556. 552 defers (RFC 5321
 *   §4.5.3.1.10); 503, 530, 535 and the rest are the installation's.
 */
export function judgeMailFailure({ command, reply, status }: MailFailure): MailVerdict {
  if (reply === undefined || reply === 421) return 'unserved'
  if (command === undefined || !OF_THE_MAIL.includes(command)) return 'unserved'
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
