export type Insertion = { text: string; caret: number }

/**
 * Puts `{{name}}` where the caret is, in place of what is selected.
 * Where that would stand bare in JSON (not inside a string), it is quoted, so that the template stays valid.
 */
export function insertPlaceholder(text: string, start: number, end: number, name: string): Insertion {
  const before = text.slice(0, start)
  const token = isInsideString(before) ? `{{${name}}}` : `"{{${name}}}"`
  return { text: before + token + text.slice(end), caret: before.length + token.length }
}

function isInsideString(before: string): boolean {
  let inside = false
  for (let at = 0; at < before.length; at += 1) {
    const character = before[at]
    if (inside && character === '\\') at += 1
    else if (character === '"') inside = !inside
  }
  return inside
}
