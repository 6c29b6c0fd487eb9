import type { GivenValue, PlaceholderValue, PlaceholderValues } from '../placeholder-value.ts'

/**
 * The kind of a placeholder's value, as far as formats need it. `any`: a custom value (`custom.<key>`), whose kind is
 * unknown in advance.
 */
export type ValueKind = 'text' | 'number' | 'yes_no' | 'moment' | 'date' | 'phone' | 'any'

/** The names that a template may hold between double braces. */
export interface Vocabulary {
  /** the name of a value, for the name as written */
  nameOf: (written: string) => string
  isKnown: (name: string) => boolean
  /** stands before a name where a bare word would be a text: in the results of an `if` */
  mark: string
  /** the kind of a known name's value */
  kindOf: (name: string) => ValueKind
}

/**
 * Applies a format to a value. It never fails: a value that the format does not fit stays unchanged, and null stays
 * null except with a default or an `if`.
 * @param values those of all placeholders, for the results of an `if`
 */
export type ApplyFormat = (value: PlaceholderValue, values: PlaceholderValues) => GivenValue

/**
 * Applies all formats of a placeholder, one after the other, and tells `noteRead` how many characters each of them
 * reads. A number that they leave unchanged keeps its digits.
 */
export type ApplyFormats = (
  value: GivenValue,
  values: PlaceholderValues,
  noteRead?: (characters: number) => void,
) => GivenValue

/** A format with its arguments read, or the reason why it cannot be used here, as a sentence. */
export type OpenedFormat = { ok: true; apply: ApplyFormat; kind: ValueKind } | { ok: false; reason: string }

/**
 * @param argument the text after the colon, trimmed; undefined without one
 * @param vocabulary the names that its results may hold
 */
export type OpenFormat = (
  argument: string | undefined,
  kind: ValueKind,
  vocabulary: Vocabulary,
) => OpenedFormat

export const refuseFormat = (reason: string): OpenedFormat => ({ ok: false, reason })

/** Makes a format that only changes text of some form. */
export const ofText =
  (change: (text: string) => PlaceholderValue): ApplyFormat =>
  (value) =>
    typeof value === 'string' ? change(value) : value
