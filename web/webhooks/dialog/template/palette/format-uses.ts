import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { readPlaceholder } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { kindOf } from '#core/domain/webhooks/template/placeholders.ts'
import { describeSample } from './describe-sample.ts'

/** A format as written after a bar, and what it does. */
export interface FormatUse {
  text: string
  meaning: string
}

/** The most frequent uses of formats (core/domain/webhooks/template/formats). */
export const FORMAT_USES: readonly FormatUse[] = [
  { text: 'date: MM/DD/YYYY', meaning: 'The date, month first (UTC)' },
  { text: 'date: YYYY-MM-DD', meaning: 'The date, year first (UTC)' },
  { text: 'date: MM/DD/YYYY, America/Chicago', meaning: 'The date in your time zone' },
  { text: 'date: MM/DD/YYYY h:mm A, America/Chicago', meaning: 'Date and time in your time zone' },
  { text: 'date: unix', meaning: 'Seconds since 1970, a number' },
  { text: 'phone: e164', meaning: 'With plus and country code' },
  { text: 'phone: digits', meaning: 'Digits with the country code' },
  { text: 'phone: ten', meaning: 'Ten digits' },
  { text: 'phone: national', meaning: 'As people write it' },
  { text: 'phone: dashed', meaning: 'With dashes' },
  { text: 'phone: dotted', meaning: 'With dots' },
  { text: 'upper', meaning: 'In upper case' },
  { text: 'lower', meaning: 'In lower case' },
  { text: 'title', meaning: 'A capital for each word' },
  { text: 'money', meaning: 'Dollars and cents' },
  { text: 'money: plain', meaning: 'Dollars and cents without the sign' },
  { text: 'money: whole', meaning: 'Whole dollars' },
  { text: 'money: cents', meaning: 'Cents, a number' },
  { text: 'map: true=Y, false=N', meaning: 'Other words for yes and no' },
  {
    text: 'map: CA=California, TX=Texas, *=Other',
    meaning: 'Another word for each value; * is any other value',
  },
  {
    text: 'if: empty, unknown, lead.city',
    meaning: 'One result if there is no value, and another if there is',
  },
  { text: 'if: = CA, West, East', meaning: 'One result for a value, and another for all others' },
  { text: 'default: unknown', meaning: 'A text to send if there is no value' },
]

/**
 * Returns the uses that fit after the text between the braces, each with its result for the fictional lead.
 * @param chain the name and the earlier formats: `city | default: unknown`
 */
export function offerFormats(chain: string, now: Date): (FormatUse & { sample: string })[] {
  const samples = sampleValues('test', now)
  return FORMAT_USES.flatMap((use) => {
    const { name, apply } = readPlaceholder(`${chain} | ${use.text}`)
    if (name === null || apply === undefined || !isSensible(name, use.text)) return []
    return [{ ...use, sample: describeSample(apply(samples[name] ?? null, samples)) }]
  })
}

/** True if a format is useful for the value; technically any value can be mapped and any text capitalised. */
function isSensible(name: string, text: string): boolean {
  const kind = kindOf(name)
  if (['upper', 'lower', 'title'].includes(text)) return kind === 'text' || kind === 'any'
  if (!text.startsWith('map')) return true
  return text.includes('true=') ? kind === 'yes_no' || kind === 'any' : kind === 'text' || kind === 'any'
}
