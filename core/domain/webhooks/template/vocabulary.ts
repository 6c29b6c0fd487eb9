import type { ValueKind } from './formats/format.ts'
import { isKnownPlaceholder, kindOf, placeholderName } from './placeholders.ts'

/** The names that a template may hold between double braces. */
export interface Vocabulary {
  /** the name of a value, for the name as written */
  nameOf: (written: string) => string
  isKnown: (name: string) => boolean
  /** the kind of a known name's value */
  kindOf: (name: string) => ValueKind
}

/** The names of a template for leads. */
export const LEAD_VOCABULARY: Vocabulary = { nameOf: placeholderName, isKnown: isKnownPlaceholder, kindOf }
