import { STATE_NAMES } from '#core/domain/leads/us-states.ts'

const STATE_CODES = new Map(
  Object.entries(STATE_NAMES).flatMap(([code, name]) => [
    [code.toLowerCase(), code],
    [name.toLowerCase(), code],
  ]),
)

/**
 * Splits a typed or pasted text into values. States, ZIP codes and lead types may stand side by side; other values may
 * contain commas.
 */
export function readTyped(about: string, text: string): string[] {
  const isCode = about === 'state' || about === 'lead_type' || about === 'zip'
  const parts = text.split(isCode ? /[,;\n]/ : /\n/).map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => readOne(about, part))
}

function readOne(about: string, text: string): string {
  if (about === 'state') return STATE_CODES.get(text.toLowerCase()) ?? text
  return about === 'lead_type' ? text.toLowerCase().replaceAll(' ', '_') : text
}
