import { normaliseTime } from '../../../leads/normalise-date.ts'
import { suggestName } from '#core/domain/suggest-name.ts'
import { ofText, refuseFormat, type OpenFormat, type ValueKind } from './format.ts'
import { CLOCK_PARTS, DATE_PARTS, isDatePart, writeDate, type DateStep, type ReadTime } from './write-date.ts'

const EXAMPLE = '{{created_at | date: MM/DD/YYYY, America/Chicago}}'
/**
 * The longest part that a letter may begin is tried first; T stands for itself, as in ISO 8601. Text in brackets needs
 * a closing bracket: in a row of brackets that never close, each would be searched to the end of the template.
 */
const STEP =
  /\[([^\]]{0,200})\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|SSS|A|a|Z|([A-Za-z])\2*|[^A-Za-z[]+|\[/g
const DAY = /^\d{4}-\d{2}-\d{2}$/
const AMERICAN_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/
const ZONE_SHAPE = /^(?:[A-Za-z_+-]+(?:\/[\w+-]+)+|UTC|GMT)$/

/** `date: MM/DD/YYYY, America/Chicago`; UTC without a zone. `date: unix` is the number of seconds since 1970. */
export const openDate: OpenFormat = (argument, kind) => {
  if (!CAN_BE_DATE.has(kind)) return refuseFormat('date is for times and dates')
  if (argument === undefined || argument === '') return refuseFormat(`date needs a form, like ${EXAMPLE}`)
  const { pattern, zoneName } = splitZone(argument)
  if (pattern === 'unix') {
    if (zoneName !== undefined) return refuseFormat('unix is the same in every zone: leave the zone out')
    return { ok: true, kind: 'number', apply: ofTime(({ at }) => Math.floor(at.getTime() / 1000)) }
  }
  const zone = zoneName === undefined ? 'UTC' : findZone(zoneName)
  if (zone === undefined)
    return refuseFormat(`There is no time zone "${zoneName}"${offer(zoneName ?? '', allZones())}`)
  const steps = readSteps(pattern)
  if (typeof steps === 'string') return refuseFormat(steps)
  if (kind === 'date') {
    const clock = steps.find((step) => 'part' in step && CLOCK_PARTS.includes(step.part))
    if (clock !== undefined && 'part' in clock)
      return refuseFormat(`A date has no time of day: take ${clock.part} out`)
    if (zoneName !== undefined) return refuseFormat('A date is the same in every zone: leave the zone out')
  }
  return { ok: true, kind: 'text', apply: ofTime((time) => writeDate(steps, time, zone)) }
}

const CAN_BE_DATE: ReadonlySet<ValueKind> = new Set<ValueKind>(['moment', 'date', 'any'])

const ofTime = (change: (time: ReadTime) => string | number) =>
  ofText((text) => {
    const time = readTime(text)
    return time === undefined ? text : change(time)
  })

/** Reads ISO 8601, or a day in the American form. */
function readTime(text: string): ReadTime | undefined {
  const iso = text.trim().replace(AMERICAN_DAY, '$3-$1-$2')
  const moment = normaliseTime(iso)
  return moment === undefined ? undefined : { at: new Date(moment), isDay: DAY.test(iso) }
}

/** A form may contain commas: only text after the last one that looks like a zone is a zone. */
function splitZone(argument: string): { pattern: string; zoneName: string | undefined } {
  const comma = argument.lastIndexOf(',')
  const last = argument.slice(comma + 1).trim()
  return comma > 0 && ZONE_SHAPE.test(last)
    ? { pattern: argument.slice(0, comma).trim(), zoneName: last }
    : { pattern: argument, zoneName: undefined }
}

/** @returns the steps, or the reason why not, as a sentence */
function readSteps(pattern: string): DateStep[] | string {
  const steps: DateStep[] = []
  for (const [step, inBrackets, letter] of pattern.matchAll(STEP)) {
    if (inBrackets !== undefined) steps.push({ text: inBrackets })
    else if (isDatePart(step)) steps.push({ part: step })
    else if (letter === undefined || step === 'T') steps.push({ text: step })
    else {
      const meant = DATE_PARTS.filter((part) => part.toLowerCase() === step.toLowerCase())
      return `"${step}" is no part of a date.${meant.length === 0 ? ` There are ${DATE_PARTS.join(', ')}; other words stand in [brackets]` : ` Did you mean ${meant.join(' or ')}?`}`
    }
  }
  return steps.some((step) => 'part' in step) ? steps : `date needs a form, like ${EXAMPLE}`
}

/** More than there are zones. */
const MOST_KEPT = 1000
/** Cache of names: looking one up takes longer than everything else about a form. */
const zones = new Map<string, string | undefined>()

/**
 * The canonical name of a zone, which may have several names, in any case: each of them would otherwise get a clock of
 * its own.
 */
function findZone(name: string): string | undefined {
  const known = zones.has(name) ? zones.get(name) : findZoneHere(name)
  if (zones.size >= MOST_KEPT) zones.clear()
  zones.set(name, known)
  return known
}

function findZoneHere(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function allZones(): string[] {
  return Intl.supportedValuesOf('timeZone')
}

function offer(wrong: string, known: readonly string[]): string {
  const meant = suggestName(wrong, known)
  return meant === undefined ? '' : `. Did you mean ${meant}?`
}
