/**
 * Returns a mail with its data in clear.
 * @throws if they were sealed by another key, or are damaged
 */
export function openMail(
  mail: { template: string; data: unknown; sealed_data: string | null },
  secrets: { open: (sealed: string) => string },
): { template: string; data: unknown } {
  const { template, data, sealed_data: sealed } = mail
  return { template, data: sealed === null ? data : (JSON.parse(secrets.open(sealed)) as unknown) }
}
