import type { Factor } from '@supabase/auth-js'

/** What its owner called it, else what it is. */
export function nameFactor({
  friendly_name: name,
  factor_type: type,
}: Pick<Factor, 'friendly_name' | 'factor_type'>) {
  if (name !== undefined && name !== '') return name
  return type === 'phone' ? 'Phone' : 'Authenticator app'
}

/** The number of a phone that is a factor, which the wire tells and the client's type does not. */
export function factorPhone(factor: Factor & { phone?: unknown }) {
  return typeof factor.phone === 'string' && factor.phone !== '' ? factor.phone : undefined
}
