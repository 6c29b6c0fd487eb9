import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'

/**
 * The codes and links that each type of `/verify` accepts. A client that says `email` need not know which
 * mail it was.
 */
const KINDS: Readonly<Record<string, readonly OneTimeKind[]>> = {
  signup: ['confirmation'],
  invite: ['invite'],
  magiclink: ['magic_link'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['confirmation', 'invite', 'magic_link', 'recovery'],
}
const PHONE_KINDS: Readonly<Record<string, readonly OneTimeKind[]>> = {
  sms: ['phone_confirmation'],
  phone_change: ['phone_change'],
}

/** The kinds of a mail's type; undefined for a type that no mail has. */
export function mailKinds(type: string): readonly OneTimeKind[] | undefined {
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
}

/** The kinds of a message's type; undefined for a type that no message has. */
export function phoneKinds(type: string): readonly OneTimeKind[] | undefined {
  return Object.hasOwn(PHONE_KINDS, type) ? PHONE_KINDS[type] : undefined
}
