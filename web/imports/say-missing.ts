/**
 * Says which columns must still be mapped before rows can become leads; undefined if none. The server checks
 * again.
 */
export function sayMissing(mapping: readonly string[], hasType: boolean): string | undefined {
  const twice = mapping.find((field, index) => field !== '' && mapping.indexOf(field) !== index)
  if (twice !== undefined) return 'Two columns cannot be the same field.'
  const has = (...fields: string[]) => fields.some((field) => mapping.includes(field))
  const missing = [
    ...(has('name', 'first_name', 'last_name') ? [] : ['a name']),
    ...(has('phone', 'email') ? [] : ['a phone number or an e-mail address']),
    ...(hasType ? [] : ['the lead type']),
  ]
  return missing.length === 0 ? undefined : `Still needed: ${missing.join(', ')}.`
}
