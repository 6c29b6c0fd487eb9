import { z } from 'zod'

/**
 * The name of a zone of the IANA database, in its own spelling. Offsets like `+05:00` are refused, because they have no
 * daylight saving.
 */
export const timeZoneSchema = z
  .string({ error: 'Must be a time zone, like America/Chicago' })
  .transform((name, ctx) => {
    const zone = readZone(name.trim())
    if (zone !== undefined) return zone
    ctx.addIssue({ code: 'custom', message: 'Must be a time zone, like America/Chicago' })
    return z.NEVER
  })

/**
 * Names that JavaScript adds to the database's. Each has one meaning there and others elsewhere: `AST` is Alaska's and
 * not the Atlantic's, `BST` Bangladesh's and not Britain's.
 */
const OF_JAVASCRIPT =
  /^(?:SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i

/** Whether it has the form of a name in the IANA database, and is not one that only JavaScript knows. */
export function isZoneName(name: string): boolean {
  return /^[A-Za-z][\w+/-]{0,63}$/.test(name) && !OF_JAVASCRIPT.test(name)
}

function readZone(name: string): string | undefined {
  if (!isZoneName(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
