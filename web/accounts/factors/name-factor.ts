import type { Factor } from '@supabase/auth-js'

/** Returns the name that the owner gave the factor, otherwise its type. */
export function nameFactor({
  friendly_name: name,
  factor_type: type,
}: Pick<Factor, 'friendly_name' | 'factor_type'>) {
  if (name !== undefined && name !== '') return name
  return type === 'phone' ? 'Phone' : 'Authenticator app'
}

/** Returns the phone number of a phone factor. The API sends it, but the type of auth-js lacks it. */
export function factorPhone(factor: Factor & { phone?: unknown }) {
  return typeof factor.phone === 'string' && factor.phone !== '' ? factor.phone : undefined
}
