import type { ColumnType, Generated } from 'kysely'
import type { Role } from '#core/contract/accounts/account.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { GivenRole, MemberRole } from '#core/contract/accounts/member-role.ts'
import type { JsonObject, NullableText, NullableTimestamp, Timestamp } from './column-types.ts'
import type {
  FactorChallengesTable,
  FactorFailuresTable,
  FactorsTable,
  FlowsTable,
  MailedCodesTable,
  OneTimeTokensTable,
  RecoveryCodesTable,
  SignInAttemptsTable,
} from './proof-tables.ts'

export type Metadata = Record<string, unknown>

/** The proofs of a session, newest first: the claim `amr` of the access token. `timestamp` is Unix seconds. */
export interface AuthenticationMethod {
  method: string
  timestamp: number
  /** the identity provider of a company's single sign-on */
  provider?: string
}

/** Kysely's view of the accounts: the schema `auth` and the product's own `profiles`. */
export interface AuthTables {
  'auth.users': UsersTable
  'auth.identities': IdentitiesTable
  'auth.sessions': SessionsTable
  'auth.refresh_tokens': RefreshTokensTable
  'auth.sign_in_attempts': SignInAttemptsTable
  'auth.one_time_tokens': OneTimeTokensTable
  'auth.flows': FlowsTable
  'auth.factors': FactorsTable
  'auth.factor_challenges': FactorChallengesTable
  'auth.send_gaps': { address_mac: Buffer; purpose: string; sent_at: Timestamp }
  'auth.factor_failures': FactorFailuresTable
  'auth.recovery_codes': RecoveryCodesTable
  'auth.wrong_codes': { holder: Buffer; purpose: string; failures: number; since: Timestamp }
  'auth.used_proofs': { hash: Buffer; expires_at: Timestamp }
  'auth.audit_log': AuditLogTable
  'auth.service_keys': ServiceKeysTable
  'auth.security_events': SecurityEventsTable
  'auth.mailed_codes': MailedCodesTable
  profiles: ProfilesTable
  account_members: AccountMembersTable
  account_invitations: AccountInvitationsTable
}

export interface UsersTable {
  id: Generated<string>
  /** trimmed, lower-case; null for accounts without an address */
  email: string | null
  /** E.164 without the plus sign */
  phone: NullableText
  /** PHC string, argon2id; an imported account may still have bcrypt's */
  password_hash: NullableText
  email_confirmed_at: NullableTimestamp
  phone_confirmed_at: NullableTimestamp
  /** the claim `role` of the wire; never the product's role, which is `profiles.role` */
  role: Generated<string>
  /** the account was created by a company's single sign-on: it is separate from accounts with the same address */
  is_sso_user: Generated<boolean>
  confirmation_sent_at: NullableTimestamp
  invited_at: NullableTimestamp
  recovery_sent_at: NullableTimestamp
  reauthentication_sent_at: NullableTimestamp
  new_email: NullableText
  email_change_sent_at: NullableTimestamp
  /** for a change that both addresses have to confirm: the one that has */
  email_change_confirmed: ColumnType<
    'current' | 'new' | null,
    'current' | 'new' | null | undefined,
    'current' | 'new' | null
  >
  new_phone: NullableText
  phone_change_sent_at: NullableTimestamp
  app_metadata: JsonObject
  user_metadata: JsonObject
  is_anonymous: Generated<boolean>
  last_sign_in_at: NullableTimestamp
  banned_until: NullableTimestamp
  deleted_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface IdentitiesTable {
  id: Generated<string>
  user_id: string
  provider: string
  /** the provider's own id; the user's id for `email` */
  provider_id: string
  identity_data: JsonObject
  email: NullableText
  last_sign_in_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SessionsTable {
  id: Generated<string>
  user_id: string
  aal: Generated<'aal1' | 'aal2'>
  amr: ColumnType<AuthenticationMethod[], string, string>
  /** the factor by which the session reached aal2 */
  factor_id: NullableText
  ip: NullableText
  user_agent: NullableText
  /** the last request other than a refresh, to the minute */
  last_active_at: Timestamp
  created_at: Timestamp
  refreshed_at: NullableTimestamp
}

export interface RefreshTokensTable {
  id: Generated<string>
  session_id: string
  parent_id: string | null
  /** SHA-256 of the token */
  token_hash: Buffer
  salt: Buffer
  created_at: Timestamp
  replaced_at: NullableTimestamp
}

/** Append-only: the database refuses to change a row. */
export interface AuditLogTable {
  id: Generated<string>
  at: Timestamp
  action: string
  /** the account that it is about */
  user_id: NullableText
  actor_id: NullableText
  actor: ColumnType<AuditActor, AuditActor | undefined, never>
  session_id: NullableText
  ip: NullableText
  user_agent: NullableText
  details: JsonObject
}
export type AuditActor = 'user' | 'admin' | 'service' | 'nobody'

/** Keys of programs that act for the service itself (migrations/20261130031000-list-service-keys.ts). */
export interface ServiceKeysTable {
  id: Generated<string>
  name: string
  key_ending: NullableText
  created_at: Timestamp
  expires_at: NullableTimestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
}

export interface SecurityEventsTable {
  id: string
  user_id: NullableText
  type: string
  severity: 'low' | 'medium' | 'high' | 'critical'
  occurred_at: Date
  received_at: Timestamp
  url: NullableText
  user_agent: NullableText
  ip: NullableText
  details: JsonObject
}

export interface ProfilesTable {
  user_id: string
  email: string
  name: string
  role: Generated<Role>
  /** of an administrator, null: owner; of a client, the role that a waiting invitation gives */
  admin_role: ColumnType<AdminRole | null, AdminRole | null | undefined, AdminRole | null>
  status: Generated<'active' | 'suspended'>
  /** dollars as text with two decimals */
  balance: ColumnType<string, string | number | undefined, string | number>
  created_at: Timestamp
  updated_at: Timestamp
}

/** The people of accounts. A founder without a row owns the account alone. */
export interface AccountMembersTable {
  user_id: string
  account_id: string
  role: MemberRole
  added_by: NullableText
  version: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface AccountInvitationsTable {
  id: Generated<string>
  account_id: string
  /** trimmed, lower-case */
  email: string
  role: GivenRole
  /** SHA-256 of the mailed token */
  token_hash: Buffer
  invited_by: NullableText
  created_at: Timestamp
  expires_at: ColumnType<Date, Date | string, Date | string>
  accepted_at: NullableTimestamp
  withdrawn_at: NullableTimestamp
}
