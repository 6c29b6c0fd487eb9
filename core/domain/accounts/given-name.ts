/**
 * The name that a person gave; null if none. At sign-up the mailbox part of the address stands in for a name: nobody gave
 * it, and it is never shown as one (docs/product.md §2, Names). Clients are named by core/data/accounts/named-client.ts.
 */
export function givenName({ name, email }: { name: string | null; email: string | null }): string | null {
  const mailbox = (email ?? '').replace(/@.*$/, '')
  return name === null || name === '' || name === mailbox ? null : name
}
