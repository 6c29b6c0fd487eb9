import type { AccountMail } from '#core/contract/mail.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { queueAccountMail } from '#core/data/outbox/mails.ts'
import type { AuthContext } from '../auth-context.ts'
import { replaceOneTimeToken } from './data/one-time-tokens.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { CODE_SECONDS, hashLinkToken, macCode, mintCode, mintLinkToken } from './one-time-code.ts'

export interface OneTimeRequest {
  user_id: string
  kind: OneTimeKind
  /** the e-mail address, or the phone (digits only) */
  sentTo: string
  /** PKCE: the flow that the link or code ends */
  flow_id?: string | null
  /** undefined: a random one is drawn */
  code?: string
}

/** The code and link that are sent; the table stores only what is needed to check them. */
export interface OneTimeSecrets {
  code: string
  linkToken: string
  codeExpiresAt: Date
  linkExpiresAt: Date
}

/** Makes a code and a link that work once, and replaces older ones of their kind. */
export async function issueOneTime(
  context: Pick<AuthContext, 'config' | 'accounts'>,
  db: Db,
  { user_id, kind, sentTo, flow_id = null, code = mintCode() }: OneTimeRequest,
): Promise<OneTimeSecrets> {
  const linkToken = mintLinkToken(flow_id !== null)
  const { otpSeconds } = context.config.auth
  const { code_expires_at, link_expires_at } = await replaceOneTimeToken(db, {
    user_id,
    kind,
    sent_to: sentTo,
    code_mac: macCode(context.accounts.codeKeys, sentTo, code),
    link_hash: hashLinkToken(linkToken),
    flow_id,
    codeSeconds: Math.min(CODE_SECONDS, otpSeconds),
    linkSeconds: otpSeconds,
  })
  return { code, linkToken, codeExpiresAt: code_expires_at, linkExpiresAt: link_expires_at }
}

/** `type` is that of `GET /verify`: signup, invite, magiclink, recovery or email_change. */
interface OneTimeLink {
  linkToken: string
  type: string
  redirectTo: string
}

/** The link for an administrator: it leads to the service, which redirects the person. */
export function verifyUrl(context: Pick<AuthContext, 'config'>, link: OneTimeLink): string {
  return `${issuerOf(context)}/verify?${writeQuery(link)}`
}

/**
 * The link of a mail: to a page of the app whose one button leads to {@link verifyUrl}. Programs that guard
 * mailboxes fetch links before the reader does, but press no button, so they do not use the token up.
 */
function mailedUrl({ config }: Pick<AuthContext, 'config'>, link: OneTimeLink): string {
  return `${config.http.publicUrl}${APP_PATHS.openLink}?${writeQuery(link)}`
}

function writeQuery({ linkToken, type, redirectTo }: OneTimeLink): string {
  return `token=${linkToken}&type=${type}&redirect_to=${escapeRedirect(redirectTo)}`
}

/**
 * Escapes as the wire does: only characters that would end the value or begin another. readRedirect reads
 * both forms.
 */
function escapeRedirect(redirectTo: string): string {
  return /[&=#]/.test(redirectTo) ? encodeURIComponent(redirectTo) : redirectTo
}

/** Puts the mail into the outbox, in the transaction that made its code and link. */
export async function queueOneTimeMail(
  context: Pick<AuthContext, 'config' | 'secrets'>,
  db: Db,
  mail: {
    user_id: string
    template: AccountMail['template']
    /** the recipient */
    to: string
    /** the address that the mail speaks of; `to` if undefined */
    account?: string
    secrets: OneTimeSecrets
    /** null: the mail holds a code alone */
    link: { type: string; redirectTo: string } | null
  },
): Promise<void> {
  const { secrets, link, to, account = to } = mail
  const data: AccountMail['data'] = {
    address: account,
    code: secrets.code,
    code_expires_at: secrets.codeExpiresAt.toISOString(),
    url: link === null ? null : mailedUrl(context, { linkToken: secrets.linkToken, ...link }),
    expires_at: (link === null ? secrets.codeExpiresAt : secrets.linkExpiresAt).toISOString(),
  }
  await queueAccountMail(db, {
    recipient_user_id: mail.user_id,
    address: to,
    template: mail.template,
    sealed: context.secrets.seal('mails.sealed_data', JSON.stringify(data)),
  })
}
