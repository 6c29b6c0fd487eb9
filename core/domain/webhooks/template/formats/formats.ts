import { suggestName } from '#core/domain/suggest-name.ts'
import {
  refuseFormat,
  type OpenedFormat,
  type OpenFormat,
  type ValueKind,
  type Vocabulary,
} from './format.ts'
import { openCase, writeTitle } from './open-case.ts'
import { openDate } from './open-date.ts'
import { openIf } from './open-if.ts'
import { openMoney } from './open-money.ts'
import { openPhone, PHONE_SHAPES } from './open-phone.ts'
import { openDefault, openMap } from './open-words.ts'

/** A format as the palette and the documentation show it; `example` is a whole placeholder. */
export interface FormatDescription {
  name: string
  example: string
  description: string
}

/** Every format, in the order of the palette (docs/product.md §3). */
export const FORMATS: readonly FormatDescription[] = [
  {
    name: 'date',
    example: '{{created_at | date: MM/DD/YYYY, America/Chicago}}',
    description: 'A date in your format and time zone (UTC without one); date: unix is a number',
  },
  {
    name: 'phone',
    example: '{{phone | phone: dashed}}',
    description: `A phone number as ${PHONE_SHAPES.join(', ')}`,
  },
  { name: 'upper', example: '{{city | upper}}', description: 'In upper case' },
  { name: 'lower', example: '{{email | lower}}', description: 'In lower case' },
  { name: 'title', example: '{{name | title}}', description: 'Each Word With A Capital' },
  {
    name: 'default',
    example: '{{city | default: unknown}}',
    description: 'A text to send if there is no value',
  },
  {
    name: 'money',
    example: '{{coverage_amount | money}}',
    description: '$15,000.00; money: plain is 15000.00, whole $15,000, cents 1500000',
  },
  {
    name: 'map',
    example: '{{state | map: CA=California, TX=Texas, *=Other}}',
    description: 'Another word for each value; * is any other value',
  },
  {
    name: 'if',
    example: '{{alt_phone | if: empty, lead.phone, lead.alt_phone}}',
    description: 'One of two results: if: empty, if: not empty, if: = CA or if: != CA, then both results',
  },
]

const OPEN: Readonly<Record<string, OpenFormat>> = {
  date: openDate,
  phone: openPhone,
  upper: openCase((text) => text.toUpperCase()),
  lower: openCase((text) => text.toLowerCase()),
  title: openCase(writeTitle),
  default: openDefault,
  money: openMoney,
  map: openMap,
  if: openIf,
}
const NAMES = FORMATS.map(({ name }) => name)

/** @param argument the text after the colon; undefined without one */
export function openFormat(
  name: string,
  argument: string | undefined,
  kind: ValueKind,
  vocabulary: Vocabulary,
): OpenedFormat {
  const open = Object.hasOwn(OPEN, name) ? OPEN[name] : undefined
  if (open !== undefined) return open(argument?.trim(), kind, vocabulary)
  const meant = suggestName(name, NAMES)
  const rest = meant === undefined ? `Formats are ${NAMES.join(', ')}` : `Did you mean ${meant}?`
  return refuseFormat(
    name === '' ? `A format is missing after |. ${rest}` : `There is no format "${name}". ${rest}`,
  )
}
