import { z } from 'zod'

/** The name of a zone of the IANA database, in its own spelling. Offsets like `+05:00` are none: they know no daylight saving. */
export const timeZoneSchema = z
  .string({ error: 'Must be a time zone, like America/Chicago' })
  .transform((name, ctx) => {
    const zone = readZone(name.trim())
    if (zone !== undefined) return zone
    ctx.addIssue({ code: 'custom', message: 'Must be a time zone, like America/Chicago' })
    return z.NEVER
  })

function readZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
