import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { describeSample } from './describe-sample.ts'
import type { PlaceholderGroup } from './filter-placeholders.ts'
import { offerFormats } from './format-uses.ts'
import type { PaletteEntry } from './list-entries.ts'
import { writePlaceholder } from './write-placeholder.ts'

/** Offers entries for the caret of a plain field, as the template's editor completes it. */
export interface Offer {
  /** offset of the two braces; a chosen entry replaces the text from here to the caret */
  from: number
  groups: PlaceholderGroup[]
  /** whether more may follow what is chosen, so that the caret stays before the closing braces */
  isOpenEnded: boolean
  /** whether the text is JSON: outside of its strings a placeholder is written in quotes */
  isJson: boolean
}

const BEGUN = /\{\{([^{}"\\\n]*)$/
const CHOICE = /^(.*\|\s*if:[^|]*,\s*)([a-z][\w.]*)?$/

/**
 * After two braces offers placeholders, after a bar the formats of the value, and after a comma of an `if` its results.
 * @returns null if nothing fits
 */
function offerPlaceholders(text: string, caret: number, now: Date, isJson: boolean): Offer | null {
  const begun = BEGUN.exec(text.slice(0, caret))
  const inner = begun?.[1]
  if (begun === null || inner === undefined) return null
  const choice = CHOICE.exec(inner)
  const bar = inner.lastIndexOf('|')
  const entries =
    choice !== null
      ? offerNames(choice[2] ?? '', now).map((entry) => ({
          ...entry,
          name: `${choice[1]}lead.${entry.name}`,
        }))
      : bar === -1
        ? offerNames(inner.trim(), now)
        : offerUses(inner.slice(0, bar).trim(), inner.slice(bar + 1).trim(), now)
  return entries.length === 0
    ? null
    : { from: begun.index, groups: groupEntries(entries), isOpenEnded: choice !== null, isJson }
}

/** In a URL only the query takes placeholders. */
export function offerInUrl(text: string, caret: number, now: Date): Offer | null {
  const offer = offerPlaceholders(text, caret, now, false)
  return offer !== null && text.slice(0, offer.from).includes('?') ? offer : null
}

/** In custom headers only values take placeholders, and no name of a header. */
export function offerInHeaders(text: string, caret: number, now: Date): Offer | null {
  const offer = offerPlaceholders(text, caret, now, true)
  return offer !== null && !/[{,]\s*"[^"]*$/.test(text.slice(0, offer.from)) ? offer : null
}

/** Places a chosen entry at the caret; braces that close it already are not doubled. */
export function placeOffer(
  text: string,
  caret: number,
  { from, isOpenEnded, isJson }: Offer,
  inner: string,
): { from: number; to: number; insert: string; caret: number } {
  const insert = isJson ? writePlaceholder(text.slice(0, from), inner) : `{{${inner}}}`
  const isQuoted = insert.startsWith('"')
  // Outside a JSON string, a single brace ends the object.
  const closing = (isQuoted ? /^[\w.]*\}\}/ : /^(?:[\w.]*\}\}|\}?)/).exec(text.slice(caret))?.[0] ?? ''
  const before = insert.slice(0, isOpenEnded ? insert.lastIndexOf('}}') : undefined)
  return { from, to: caret + closing.length, insert, caret: from + before.length }
}

/** Placeholders with the begun word in their names; those that begin with it come first. */
function offerNames(begun: string, now: Date): PaletteEntry[] {
  const word = begun.replace(/^lead\./, '').toLowerCase()
  if (!/^[\w.]*$/.test(word)) return []
  const samples = sampleValues('test', now)
  const isFirst = ({ name }: PaletteEntry): number => Number(name.startsWith(word))
  return PLACEHOLDERS.filter(({ name }) => name.includes(word))
    .map(({ name, group, description }) => ({
      name,
      group,
      description,
      sample: describeSample(samples[name]),
    }))
    .toSorted((one, other) => isFirst(other) - isFirst(one))
}

function offerUses(chain: string, begun: string, now: Date): PaletteEntry[] {
  return offerFormats(chain, now)
    .filter(({ text }) => text.toLowerCase().includes(begun.toLowerCase()))
    .map(({ text, meaning, sample }) => ({
      name: `${chain} | ${text}`,
      group: 'Formats',
      description: meaning,
      sample,
    }))
}

function groupEntries(entries: readonly PaletteEntry[]): PlaceholderGroup[] {
  const names = [...new Set(entries.map(({ group }) => group))]
  return names.map((group) => ({ group, items: entries.filter((entry) => entry.group === group) }))
}
