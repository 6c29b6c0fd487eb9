const FITS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * The name under which a field without a column of its own is stored: unchanged if it fits, otherwise in lower-case
 * letters, digits and underscores, at most 64 characters: `Current Insurance Company` becomes
 * `current_insurance_company`. Undefined if nothing is left of it.
 */
export function customName(given: string): string | undefined {
  return FITS.test(given) ? given : simplifyName(given)
}

/**
 * Converts any name to lower-case letters, digits and underscores, at most 64 characters; undefined if nothing is left.
 * The end of a very long name is ignored.
 */
export function simplifyName(given: string): string | undefined {
  const name = given
    .slice(0, 200)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 64)
  return name === '' ? undefined : name
}
