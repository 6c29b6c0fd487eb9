/**
 * Whole years on a day in UTC; null if the date of birth is unknown, or after that day.
 * @param dateOfBirth `YYYY-MM-DD`
 */
export function ageOn(dateOfBirth: string | null, day: Date): number | null {
  const [year, month, date] = dateOfBirth?.split('-').map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return null
  const hadBirthday = [day.getUTCMonth() + 1 - month, day.getUTCDate() - date]
  const before = (hadBirthday[0] ?? 0) < 0 || (hadBirthday[0] === 0 && (hadBirthday[1] ?? 0) < 0)
  const age = day.getUTCFullYear() - year - (before ? 1 : 0)
  return age < 0 ? null : age
}
