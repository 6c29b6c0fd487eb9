/**
 * Control characters and characters that change the direction of the text: with them a text shows something other than
 * it says.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{S}]/u

/** Whether people can read it as one line: it has visible characters, and none that hide or turn the rest. */
export function isPlainLine(text: string): boolean {
  return !HIDDEN.test(text) && VISIBLE.test(text)
}

/**
 * Whether people can read it as a text of several lines: it has visible characters, and none that hide or turn the
 * rest.
 */
export function isPlainText(text: string): boolean {
  return isPlainLine(text.replaceAll(/[\n\t\u200e\u200f\u061c]/g, ' '))
}
