/**
 * Returns the text to insert for one placeholder, given the text before the caret.
 * Outside a JSON string it is quoted, so that the template stays valid.
 */
export function writePlaceholder(before: string, name: string): string {
  return isInsideString(before) ? `{{${name}}}` : `"{{${name}}}"`
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
