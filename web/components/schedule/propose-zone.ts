/**
 * The zone of a business: the stored one or, until the business is described, the browser's. A browser that hides its
 * zone says UTC.
 */
export function proposeZone({ business_name, timezone }: { business_name: string | null; timezone: string }) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return business_name !== null || /^(UTC|Etc\/.*)?$/.test(own) ? timezone : own
}
