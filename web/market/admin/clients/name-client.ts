export interface NamedClient {
  name: string | null
  email: string
  business_name?: string | null
}

/**
 * Names a client by its business, or else by its person. A name that is only the mailbox part of the address
 * was never given by anybody, so the address is shown instead. An erased account has neither.
 */
export function nameClient({ name, email, business_name: business }: NamedClient) {
  if (business !== undefined && business !== null && business !== '') return business
  const isGiven = name !== null && name !== '' && name !== email.slice(0, Math.max(email.indexOf('@'), 0))
  if (isGiven) return name
  return email === '' ? 'Erased account' : email
}
