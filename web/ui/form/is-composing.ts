/** The key code of whatever an input method has taken (UI Events §G.1.1). Only Safari still needs it. */
const OF_AN_INPUT_METHOD = 229

/**
 * Whether a key belongs to an input method that composes a word, as of Japanese: its Enter chooses the word and is not meant for the
 * page. Safari says before its last key that composing has ended, and tells that key apart by its code alone.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || Reflect.get(event, 'keyCode') === OF_AN_INPUT_METHOD
}
