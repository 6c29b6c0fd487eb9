/** The type and subtype of a content type, in lower case and without parameters. */
export function bareType(contentType: string): string {
  const [bare = ''] = contentType.split(';')
  return bare.trim().toLowerCase()
}

/**
 * Whether a bucket takes files of this type.
 * @param allowed null means every type; `audio/*` means every subtype
 */
export function isAllowedType(allowed: readonly string[] | null, contentType: string): boolean {
  if (allowed === null) return true
  const type = bareType(contentType)
  return allowed.some((one) => {
    const known = one.toLowerCase()
    if (known === '*/*' || known === type) return true
    return known.endsWith('/*') && type.startsWith(known.slice(0, -1))
  })
}
