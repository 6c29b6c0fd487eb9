const FITS = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * The name under which a field that has no column of its own is kept: as it is where it fits, else in lower-case letters, digits and
 * underscores, at most 64: `Current Insurance Company` is `current_insurance_company`. Undefined where nothing is left of it.
 */
export function customName(given: string): string | undefined {
  return FITS.test(given) ? given : simplifyName(given)
}

/** The same, whatever the name is. Most of a long one is not looked at. */
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
