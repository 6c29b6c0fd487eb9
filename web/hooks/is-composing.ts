/**
 * Whether a key belongs to an input method that composes a word, as of Japanese: its Enter chooses the word and is not meant for the
 * page. Safari sends the last one after it says that composing has ended, with the key code of a composition.
 */
export function isComposing({ isComposing: composes, keyCode }: KeyboardEvent): boolean {
  return composes || keyCode === 229
}
