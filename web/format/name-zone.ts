/** Returns the common name of a zone: "Eastern Time" for "America/New_York". */
export function nameZone(timeZone: string) {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(
    new Date(),
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}
