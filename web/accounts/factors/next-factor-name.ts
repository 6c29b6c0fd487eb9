/** A name that none of the account's factors has: the service refuses two of one name. */
export function nextFactorName(factors: readonly { friendly_name?: string | undefined }[], first: string) {
  const taken = new Set(factors.map(({ friendly_name: name }) => name))
  if (!taken.has(first)) return first
  let number = 2
  while (taken.has(`${first} ${number}`)) number += 1
  return `${first} ${number}`
}
