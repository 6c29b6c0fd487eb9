import type { GivenValue, PlaceholderValue } from '../placeholder-value.ts'

/** What a placeholder stands for, as far as formats care. `any`: a value of one's own (`custom.<key>`), of which nobody knows before. */
export type ValueKind = 'text' | 'number' | 'yes_no' | 'moment' | 'date' | 'phone' | 'any'

/** What a format makes of a value. It never fails: a value that it does not fit stays as it is, and null stays null but for a default. */
export type ApplyFormat = (value: PlaceholderValue) => PlaceholderValue

/**
 * All formats of a placeholder, one after the other; `noteRead` is told how many characters each of them reads. A number that they leave
 * as it is keeps its digits.
 */
export type ApplyFormats = (value: GivenValue, noteRead?: (characters: number) => void) => GivenValue

/** A format with its arguments read, or why it cannot be used here, as a sentence. */
export type OpenedFormat = { ok: true; apply: ApplyFormat; kind: ValueKind } | { ok: false; reason: string }

/** @param argument what stands after the colon, trimmed; undefined without one */
export type OpenFormat = (argument: string | undefined, kind: ValueKind) => OpenedFormat

export const refuseFormat = (reason: string): OpenedFormat => ({ ok: false, reason })

/** A format that only changes text of some form. */
export const ofText =
  (change: (text: string) => PlaceholderValue): ApplyFormat =>
  (value) =>
    typeof value === 'string' ? change(value) : value
