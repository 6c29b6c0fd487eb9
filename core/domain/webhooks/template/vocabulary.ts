import type { Vocabulary } from './formats/format.ts'
import { isKnownPlaceholder, kindOf, placeholderName } from './placeholders.ts'

/** The names of a template for leads. */
export const LEAD_VOCABULARY: Vocabulary = {
  mark: 'lead.',
  nameOf: placeholderName,
  isKnown: isKnownPlaceholder,
  kindOf,
}
