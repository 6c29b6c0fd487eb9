import type { AccountMail } from '#core/contract/mail.ts'
import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { insertFlow } from '../sessions/data/flows.ts'
import { issueOneTime, queueOneTimeMail } from './issue-one-time.ts'
import type { PkceChallenge } from '../sessions/read-pkce.ts'

/**
 * The wire's types of links in mails, and the method by which a session that they open under PKCE was proven.
 */
const METHODS = {
  signup: 'email/signup',
  invite: 'invite',
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
} as const
export type LinkType = keyof typeof METHODS

/**
 * The next step after the person opens a link: the redirect, and under PKCE the challenge of the browser that
 * asked.
 */
export interface Onward {
  redirectTo: string
  pkce: PkceChallenge | undefined
}

/** Begins the flow that a mail's link ends, if the client asked for PKCE. */
export async function beginMailFlow(
  db: Db,
  userId: string,
  type: LinkType,
  { redirectTo, pkce }: Onward,
): Promise<string | null> {
  if (pkce === undefined) return null
  return await insertFlow(db, {
    user_id: userId,
    method: METHODS[type],
    redirect_to: redirectTo,
    ...pkce,
  })
}

/**
 * Makes a code and a link, and queues the mail that carries them. Change the user's own row before this call,
 * never after it: the order of locks depends on it.
 */
export async function mailOneTime(
  context: Pick<AuthContext, 'config' | 'secrets' | 'accounts'>,
  db: Db,
  mail: {
    user_id: string
    kind: OneTimeKind
    template: AccountMail['template']
    type: LinkType
    to: string
    /** the address the mail speaks of, if it is not the recipient */
    account?: string
    redirectTo: string
    flow_id: string | null
  },
): Promise<void> {
  const { user_id, to, flow_id, type, redirectTo } = mail
  const secrets = await issueOneTime(context, db, { user_id, kind: mail.kind, sentTo: to, flow_id })
  await queueOneTimeMail(context, db, {
    user_id,
    template: mail.template,
    to,
    ...(mail.account === undefined ? {} : { account: mail.account }),
    secrets,
    link: { type, redirectTo },
  })
}
