/** The key code of keys that an input method has processed (UI Events §G.1.1). Only Safari still needs it. */
const OF_AN_INPUT_METHOD = 229

/**
 * True if a key belongs to an input method, for example of Japanese: its Enter chooses a word and is not
 * meant for the page. Safari ends the composition before its last key, so only the key code identifies that
 * key.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || Reflect.get(event, 'keyCode') === OF_AN_INPUT_METHOD
}
