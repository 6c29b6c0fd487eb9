/** Returns a name that no factor of the account has; the service refuses two factors with one name. */
export function nextFactorName(factors: readonly { friendly_name?: string | undefined }[], first: string) {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  if (!taken.has(first)) return first
  let number = 2
  while (taken.has(`${first} ${number}`)) number += 1
  return `${first} ${number}`
}
