import { givenName } from '#core/domain/accounts/given-name.ts'

/** Names one person, such as an administrator, by the given name or else by the address. */
export function namePerson(person: { name: string | null; email: string }) {
  return givenName(person) ?? (person.email === '' ? 'Erased account' : person.email)
}
