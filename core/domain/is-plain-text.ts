/** Control characters and those that turn the direction of what follows: with them a text shows something else than it says. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const VISIBLE = /[\p{L}\p{N}\p{S}]/u

/** Whether people can read it as one line: something is to be seen, and nothing hides or turns the rest. */
export function isPlainLine(text: string): boolean {
  return !HIDDEN.test(text) && VISIBLE.test(text)
}

/** The same of a text of many lines. */
export function isPlainText(text: string): boolean {
  return isPlainLine(text.replaceAll(/[\n\t\u200e\u200f\u061c]/g, ' '))
}
