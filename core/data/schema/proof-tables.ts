import type { ColumnType, Generated } from 'kysely'
import type { NullableText, NullableTimestamp, Timestamp } from './column-types.ts'

export interface SignInAttemptsTable {
  email: string
  ip: string
  failures: number
  last_failed_at: Timestamp
  blocked_until: NullableTimestamp
}

export const ONE_TIME_KINDS = [
  'confirmation',
  'invite',
  'recovery',
  'magic_link',
  'email_change_current',
  'email_change_new',
  'reauthentication',
  'phone_confirmation',
  'phone_change',
] as const
export type OneTimeKind = (typeof ONE_TIME_KINDS)[number]

/** A code, and in a mail a link, each of which works once; one of each kind for a user. */
export interface OneTimeTokensTable {
  id: Generated<string>
  user_id: string
  kind: OneTimeKind
  /** the e-mail address or phone to which it was sent */
  sent_to: string
  /** HMAC-SHA-256 of the code: six digits are soon guessed from a plain hash */
  code_mac: Buffer
  /** SHA-256 of the token in the link */
  link_hash: Buffer | null
  /** the PKCE flow that it completes */
  flow_id: NullableText
  wrong_attempts: Generated<number>
  created_at: Timestamp
  code_expires_at: Date
  link_expires_at: Date
}

/** A sign-in that begins in one request and ends in another: by a provider, or by a mail under PKCE. */
export interface FlowsTable {
  id: Generated<string>
  user_id: NullableText
  /** the proof of the session that it ends in: oauth, magiclink, recovery, … */
  method: string
  provider: NullableText
  /** SHA-256 of OAuth's `state`, SAML's RelayState */
  state_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  nonce: NullableText
  /** our own PKCE verifier towards the provider */
  provider_verifier_sealed: NullableText
  redirect_to: NullableText
  code_challenge: NullableText
  code_challenge_method: ColumnType<'s256' | 'plain' | null, 's256' | 'plain' | null | undefined, never>
  /** SHA-256 of the code that the client trades for its session */
  code_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  code_issued_at: NullableTimestamp
  /** SHA-256 of the secret in the cookie of the browser that began it; null if no browser could be given one */
  browser_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>
  /** the user to whom an identity is to be added */
  linking_user_id: NullableText
  /** the session that requested it, with which the request ends, and its network */
  linking_session_id: NullableText
  linking_network: NullableText
  /** under PKCE: the identity to be linked once the code is traded with its verifier */
  linking_person_sealed: NullableText
  provider_tokens_sealed: NullableText
  created_at: Timestamp
}

export interface FactorsTable {
  id: Generated<string>
  user_id: string
  friendly_name: string
  factor_type: 'totp' | 'phone'
  status: Generated<'unverified' | 'verified'>
  secret_sealed: NullableText
  phone: NullableText
  /** the TOTP time step of the last accepted code: no code works twice */
  last_used_step: ColumnType<string | null, string | number | null | undefined, string | number | null>
  last_challenged_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface FactorChallengesTable {
  id: Generated<string>
  factor_id: string
  ip: string
  /** of a phone factor */
  code_mac: Buffer | null
  wrong_attempts: Generated<number>
  created_at: Timestamp
  expires_at: Date
}

export interface RecoveryCodesTable {
  user_id: string
  code_mac: Buffer
  created_at: Timestamp
  used_at: NullableTimestamp
}

/** Wrong codes of a factor from one address, whatever challenges they answered. */
export interface FactorFailuresTable {
  factor_id: string
  ip: string
  failures: number
  /** the time of the first of them */
  since: Timestamp
}

/** A code that the function send-otp-email sent, or would have sent. */
export interface MailedCodesTable {
  /** HMAC-SHA-256 of the address: there is a row for addresses without an account too */
  address_mac: Buffer
  user_id: NullableText
  code_mac: Buffer
  wrong_attempts: Generated<number>
  created_at: Timestamp
  expires_at: Date
}
