import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../contract/account.ts'

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** A `jsonb` column: read parsed, written as text. */
type Json<T> = ColumnType<T, string | undefined, string>

export type Metadata = Record<string, unknown>

/** How a session was proven, newest first: the claim `amr` of the access token. `timestamp` is Unix seconds. */
export interface AuthenticationMethod {
  method: string
  timestamp: number
}

/** Kysely's view of the accounts: the schema `auth` and the product's own `profiles`. */
export interface AuthTables {
  'auth.users': UsersTable
  'auth.identities': IdentitiesTable
  'auth.sessions': SessionsTable
  'auth.refresh_tokens': RefreshTokensTable
  'auth.sign_in_attempts': SignInAttemptsTable
  profiles: ProfilesTable
}

export interface UsersTable {
  id: Generated<string>
  /** trimmed, lower-case; null for accounts without an address */
  email: string | null
  /** PHC string, argon2id */
  password_hash: string | null
  email_confirmed_at: NullableTimestamp
  app_metadata: Json<Metadata>
  user_metadata: Json<Metadata>
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
  identity_data: Json<Metadata>
  last_sign_in_at: NullableTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface SessionsTable {
  id: Generated<string>
  user_id: string
  aal: Generated<'aal1' | 'aal2'>
  amr: ColumnType<AuthenticationMethod[], string, string>
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

export interface SignInAttemptsTable {
  email: string
  ip: string
  failures: number
  last_failed_at: Timestamp
  blocked_until: NullableTimestamp
}

export interface ProfilesTable {
  user_id: string
  email: string
  name: string
  role: Generated<Role>
  status: Generated<'active' | 'suspended'>
  /** dollars as text with two decimals */
  balance: ColumnType<string, string | number | undefined, string | number>
  created_at: Timestamp
  updated_at: Timestamp
}
